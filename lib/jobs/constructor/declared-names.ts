import type { AnyNode } from 'acorn';
import { assignedTargets, childrenOf } from './syntax.js';

/** Names that a block, a loop, a switch or a catch declares for itself. Minifiers give them the parameters' names. */
export function namesDeclaredBy(node: AnyNode): string[] {
  switch (node.type) {
    case 'BlockStatement':
      return lexicalNames(node.body);
    case 'SwitchStatement':
      return lexicalNames(node.cases.flatMap((branch) => branch.consequent));
    case 'ForStatement':
      return lexicalNames(node.init == null ? [] : [node.init]);
    case 'ForInStatement':
    case 'ForOfStatement':
      return lexicalNames([node.left]);
    case 'CatchClause':
      return declaredNames(node.param ?? null);
    default:
      return [];
  }
}

/** Names that an inner function declares with `var`, at any depth but that of functions within. */
export function varNames(node: AnyNode): string[] {
  if (/Function|Class/.test(node.type)) return [];
  const own = node.type === 'VariableDeclaration' && node.kind === 'var' ? declaredNames(node) : [];
  return [...own, ...childrenOf(node).flatMap(varNames)];
}

export function declaredNames(pattern: AnyNode | null): string[] {
  return assignedTargets(pattern).flatMap((target) => (target.type === 'Identifier' ? [target.name] : []));
}

export function hiding(hidden: ReadonlySet<string>, names: readonly string[]): ReadonlySet<string> {
  return names.length === 0 ? hidden : new Set([...hidden, ...names]);
}

function lexicalNames(statements: readonly AnyNode[]): string[] {
  return statements.flatMap((statement) => {
    if (statement.type === 'VariableDeclaration')
      return statement.kind === 'var' ? [] : declaredNames(statement);
    return statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration'
      ? declaredNames(statement.id)
      : [];
  });
}
