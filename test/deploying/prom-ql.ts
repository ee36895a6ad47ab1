/** One `name{label="value"}` of an expression. */
export interface Selector {
  /** A regular expression, anchored as Prometheus does it. */
  readonly name: RegExp;
  /** What its labels have to be: the alternatives of each. */
  readonly matchers: ReadonlyMap<string, readonly string[]>;
}

const WORDS = new Set('sum max by increase rate unless or and on offset'.split(' '));
const SELECTOR = /([a-z_]\w*)?\{([^}]*)\}|\b([a-z_]\w*)\b(?!\s*\()/g;

/** Labels that an expression groups by. */
export function groupedBy(expr: string): readonly string[] {
  return [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  );
}

/** Every selector of an expression; enough of the language for our rules. */
export function selectorsIn(expr: string): readonly Selector[] {
  const rest = expr.replaceAll(/\bby \([^)]*\)/g, '').replaceAll(/\[\w+\]|\b\d\w*\b/g, '');
  return [...rest.matchAll(SELECTOR)]
    .filter(([, , braces, bare]) => braces !== undefined || !WORDS.has(bare ?? ''))
    .map(([, named, braces = '', bare]) => {
      const matchers = new Map(
        [...braces.matchAll(/(\w+)=~?"([^"]*)"/g)].map(([, label = '', value = '']) => [label, value]),
      );
      const name = matchers.get('__name__') ?? named ?? bare ?? '';
      matchers.delete('__name__');
      const split = [...matchers].map(([label, value]) => [label, value.split('|')] as const);
      return { name: new RegExp(`^(?:${name})$`), matchers: new Map(split) };
    });
}
