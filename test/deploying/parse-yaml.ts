import { parsers } from 'prettier/plugins/yaml';

/** What a YAML file holds, with every scalar as the text that stands there. */
export type Yaml = string | null | readonly Yaml[] | { readonly [key: string]: Yaml };

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly (Node | null)[];
}

/** The one document of a YAML text, as the parser of Prettier reads it. A syntax that our files do not use is an error. */
export async function parseYaml(text: string): Promise<Yaml> {
  const parse = parsers.yaml.parse as (text: string, options: object) => Node | Promise<Node>;
  const root = await parse(text, {});
  const [document, ...more] = childrenOf(root);
  if (document === undefined || more.length > 0) throw new Error('Expected one YAML document.');
  const body = childrenOf(document).find(({ type }) => type === 'documentBody');
  return valueOf(body === undefined ? undefined : childrenOf(body)[0]);
}

function childrenOf({ children = [] }: Node): readonly Node[] {
  return children.filter((child) => child !== null);
}

function valueOf(node: Node | undefined): Yaml {
  if (node === undefined) return null;
  switch (node.type) {
    case 'plain':
    case 'quoteSingle':
    case 'quoteDouble':
    case 'blockFolded':
    case 'blockLiteral':
      return node.value ?? '';
    case 'mapping':
    case 'flowMapping':
      return Object.fromEntries(childrenOf(node).map(entryOf));
    case 'sequence':
    case 'flowSequence':
      return childrenOf(node).map((item) => valueOf(childrenOf(item)[0]));
    default:
      throw new Error(`Expected a scalar, a mapping or a sequence, came ${node.type}.`);
  }
}

function entryOf(item: Node): [string, Yaml] {
  const [key, value] = childrenOf(item);
  const name = key === undefined ? null : valueOf(childrenOf(key)[0]);
  if (typeof name !== 'string') throw new Error('Expected a text as the key of a mapping.');
  return [name, valueOf(value === undefined ? undefined : childrenOf(value)[0])];
}

/** The part of a document at a path such as `spec.template.spec.containers.0`. */
export function at(document: Yaml, path: string): Yaml {
  let part: Yaml | undefined = document;
  for (const step of path.split('.')) {
    part = part === null || typeof part === 'string' ? undefined : (part as Record<string, Yaml>)[step];
    if (part === undefined) throw new Error(`Expected ${path} in the document; there is no ${step}.`);
  }
  return part;
}
