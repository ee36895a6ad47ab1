import type { AnyNode, Expression } from 'acorn';

/** A parameter as it is, or with a default for a missing one. */
export interface PassedParameter {
  readonly name: string;
  readonly defaulted: boolean;
}

/**
 * Reads `p` and `p ?? …`, and what compilers make of the second for older targets:
 * `p !== null && p !== void 0 ? p : …`, `null == p ? … : p`. null for all else.
 */
export function passedParameter(node: Expression): PassedParameter | null {
  if (node.type === 'Identifier') return { name: node.name, defaulted: false };
  if (node.type === 'LogicalExpression' && node.operator === '??') return defaulted(node.left);
  if (node.type !== 'ConditionalExpression') return null;
  const test = nullTest(node.test);
  if (test === null) return null;
  const kept = defaulted(test.present ? node.consequent : node.alternate);
  return kept?.name === test.name ? kept : null;
}

function defaulted(node: Expression): PassedParameter | null {
  return node.type === 'Identifier' ? { name: node.name, defaulted: true } : null;
}

interface NullTest {
  readonly name: string;
  /** The test holds when the name has a value. */
  readonly present: boolean;
}

function nullTest(node: Expression): NullTest | null {
  if (node.type === 'LogicalExpression' && node.operator !== '??') {
    const left = nullTest(node.left);
    const right = nullTest(node.right);
    const agree = left !== null && left.name === right?.name && left.present === right.present;
    return agree && left.present === (node.operator === '&&') ? left : null;
  }
  if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(node.operator)) return null;
  const name = isNothing(node.left) ? node.right : isNothing(node.right) ? node.left : null;
  return name?.type === 'Identifier' ? { name: name.name, present: node.operator.startsWith('!') } : null;
}

function isNothing(node: AnyNode): boolean {
  if (node.type === 'Literal') return node.value === null && node.raw === 'null';
  if (node.type === 'Identifier') return node.name === 'undefined';
  return node.type === 'UnaryExpression' && node.operator === 'void' && node.argument.type === 'Literal';
}
