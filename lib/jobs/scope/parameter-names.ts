import { parseExpressionAt, type Pattern } from 'acorn';

/** The names of a method's parameters as they are in its source, for messages; null for one that has none. */
export function parameterNames(method: object): readonly (string | null)[] {
  return parametersOf(method).map(nameOf);
}

/** Whether the last parameter of a method gathers all that are left. */
export function hasRestParameter(method: object): boolean {
  return parametersOf(method).at(-1)?.type === 'RestElement';
}

function parametersOf(method: object): readonly Pattern[] {
  if (typeof method !== 'function') return [];
  try {
    const literal = parseExpressionAt(`({${Function.prototype.toString.call(method)}})`, 0, {
      ecmaVersion: 'latest',
    });
    if (literal.type !== 'ParenthesizedExpression' && literal.type !== 'ObjectExpression') return [];
    const object = literal.type === 'ObjectExpression' ? literal : literal.expression;
    const property = object.type === 'ObjectExpression' ? object.properties[0] : undefined;
    if (property?.type !== 'Property' || property.value.type !== 'FunctionExpression') return [];
    return property.value.params;
  } catch {
    // Native or decorated beyond recognition: a message without names still has the positions.
    return [];
  }
}

function nameOf(parameter: Pattern): string | null {
  if (parameter.type === 'Identifier') return parameter.name;
  return parameter.type === 'AssignmentPattern' ? nameOf(parameter.left) : null;
}
