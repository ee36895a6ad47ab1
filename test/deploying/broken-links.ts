import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Links of a page that lead to no file of the repository, or to no heading of the page that they name. */
export function brokenLinks(path: string): readonly string[] {
  const page = readFileSync(path, 'utf8');
  const links = [...page.matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)];
  if (links.length === 0) throw new Error(`Expected links in ${path}, came none.`);
  return links
    .filter(([, target = '', anchor]) => {
      const file = target === '' ? path : join(dirname(path), target);
      return !existsSync(file) || (anchor !== undefined && !headingsOf(file).includes(anchor));
    })
    .map(([link]) => link);
}

/** As GitHub names them. */
function headingsOf(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9_ -]/g, '')
      .replaceAll(' ', '-'),
  );
}
