import type { AnyNode, Expression } from 'acorn';

/** The property's name in `this.name` or `this['name']`, null for all else; `#name` for a private one. */
export function ownPropertyName(node: AnyNode): string | null {
  if (node.type !== 'MemberExpression' || node.object.type !== 'ThisExpression') return null;
  if (node.property.type === 'PrivateIdentifier') return `#${node.property.name}`;
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : null;
  return stringValue(node.property);
}

export function stringValue(node: AnyNode | undefined): string | null {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null;
}

/** What an expression comes to when nothing is done to its value: `(count(), x)` and `a = x` are x. */
export function lastValue(node: Expression): Expression {
  if (node.type === 'ParenthesizedExpression') return lastValue(node.expression);
  if (node.type === 'AssignmentExpression' && node.operator === '=') return lastValue(node.right);
  const last = node.type === 'SequenceExpression' ? node.expressions.at(-1) : undefined;
  return last === undefined ? node : lastValue(last);
}

/** What a pattern, or a declaration, assigns to: names and member expressions. */
export function assignedTargets(node: AnyNode | null): AnyNode[] {
  switch (node?.type) {
    case undefined:
      return [];
    case 'VariableDeclaration':
      return node.declarations.flatMap((declarator) => assignedTargets(declarator.id));
    case 'ObjectPattern':
      return node.properties.flatMap(assignedTargets);
    case 'Property':
      return assignedTargets(node.value);
    case 'ArrayPattern':
      return node.elements.flatMap(assignedTargets);
    case 'AssignmentPattern':
      return assignedTargets(node.left);
    case 'RestElement':
      return assignedTargets(node.argument);
    default:
      return node == null ? [] : [node];
  }
}

/** The children of a node, in the order of the text. */
export function childrenOf(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = [];
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) children.push(...value.filter(isNode));
    else if (isNode(value)) children.push(value);
  }
  return children;
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
