// What docs/getting-started.md says to do, in order. A comment before a block says what it is for:
//   <!-- run -->                   commands that end
//   <!-- start: worker -->         a command that goes on, in a terminal of this name
//   <!-- stop: worker -->          Ctrl-C there; no block
//   <!-- prints -->                what the commands before it print, or <!-- prints: worker --> that terminal
//   <!-- file: .env -->            a whole file of the new project
//   <!-- adds to: a.json -->       members of a JSON file that is there
// With ", on nest 11" or ", on postgres and node 20" it is done only there.
const examples = 'test/getting-started/';
const comment = /^<!-- (run|start|stop|prints|file|adds to)(?:: (\S+?))?(?:, on (.+))? -->$/;
const fence = /^```\w*$/;

/** The path in the new project of a file of the examples; any other file is where the page says. */
function placeOf(file) {
  return file.startsWith(examples) ? file.slice(examples.length).replace(/^[^/]+\//, 'src/') : file;
}

/** The first block after a line: its text. */
function blockAfter(lines, index) {
  const first = lines.findIndex((line, at) => at > index && line !== '');
  if (!fence.test(lines[first] ?? '')) throw new Error(`expected a block after ${lines[index]}`);
  const last = lines.indexOf('```', first);
  return lines.slice(first + 1, last).join('\n');
}

/** The steps of the page: `{ verb, name, conditions, text, section }`. A file's name is its path in the project. */
export function readPage(page) {
  const lines = page.split('\n');
  const steps = [];
  let section = '';
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('## ')) section = line.slice(3);
    const [, verb, name, on] = comment.exec(line) ?? [];
    if (verb === undefined) {
      if (line.startsWith('<!--')) throw new Error(`expected a step, got ${line}`);
      continue;
    }
    steps.push({
      verb,
      name: verb === 'file' ? placeOf(name) : name,
      conditions: on?.split(' and ') ?? [],
      text: verb === 'stop' ? '' : blockAfter(lines, index),
      section,
    });
  }
  return steps;
}
