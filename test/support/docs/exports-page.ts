import ts from 'typescript';

/** One thing that a subpath exports, and its purpose as the first sentence of its doc comment. */
export interface Exported {
  readonly name: string;
  readonly kind: 'class' | 'function' | 'value' | 'type';
  readonly purpose: string;
}

/** What each entry of lib/ exports, by subpath. */
export function exportsOf(
  entries: Readonly<Record<string, string>>,
): ReadonlyMap<string, readonly Exported[]> {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    experimentalDecorators: true,
    skipLibCheck: true,
  };
  const program = ts.createProgram(Object.values(entries), options);
  const checker = program.getTypeChecker();
  const found = Object.entries(entries).map(([subpath, file]): [string, Exported[]] => {
    const source = program.getSourceFile(file);
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`Expected ${file} to be a module.`);
    const exported = checker.getExportsOfModule(module).map((symbol) => describeExport(checker, symbol));
    return [subpath, exported.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))];
  });
  return new Map(found);
}

function describeExport(checker: ts.TypeChecker, exported: ts.Symbol): Exported {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ');
  const [purpose = ''] = /^.*?[.:;](?= |$)/.exec(text) ?? [text];
  return { name: exported.name, kind: kindOf(symbol), purpose: purpose.replace(/[:;]$/, '.') };
}

function kindOf(symbol: ts.Symbol): Exported['kind'] {
  if (symbol.flags & ts.SymbolFlags.Class) return 'class';
  if (symbol.flags & ts.SymbolFlags.Function) return 'function';
  return symbol.flags & ts.SymbolFlags.Value ? 'value' : 'type';
}

/** The page: a table a subpath, values before types. */
export function exportsPage(found: ReadonlyMap<string, readonly Exported[]>): string {
  const tables = [...found].map(([subpath, exported]) => {
    const name = subpath === '.' ? '@kinetis/nestjs-queue' : `@kinetis/nestjs-queue/${subpath}`;
    const types = exported.filter(({ kind }) => kind === 'type');
    const values = exported.filter(({ kind }) => kind !== 'type');
    const list = (items: readonly Exported[]): string =>
      items.map((item) => `- \`${item.name}\` (${item.kind}): ${item.purpose}`).join('\n');
    const parts = [
      `## ${name}`,
      `${values.length} values and ${types.length} types.`,
      list(values),
      list(types),
    ];
    return parts.filter((part) => part !== '').join('\n\n');
  });
  return `# Everything that the package exports\n\n${tables.join('\n\n')}\n`;
}
