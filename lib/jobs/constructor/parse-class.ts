import { parseExpressionAt, type Class, type Expression, type MethodDefinition } from 'acorn';

/** A class from its own text, as the running JavaScript has it: compiled, bundled and minified as it may be. */
export interface ParsedClass {
  readonly node: Class;
  /** null: the superclass's constructor is inherited. */
  readonly constructorMethod: MethodDefinition | null;
}

/** null where the text is no class: native code, a bound function, a class transpiled down to a function. */
export function parseClass(target: object): ParsedClass | null {
  const expression = parseText(`(${Function.prototype.toString.call(target)})`);
  if (expression?.type !== 'ClassExpression') return null;
  const constructorMethod = expression.body.body.find(
    (member): member is MethodDefinition =>
      member.type === 'MethodDefinition' && member.kind === 'constructor',
  );
  return { node: expression, constructorMethod: constructorMethod ?? null };
}

function parseText(text: string): Expression | null {
  // A class of a script may use names that a module reserves, and the other way round.
  for (const sourceType of ['module', 'script'] as const) {
    try {
      return parseExpressionAt(text, 0, {
        ecmaVersion: 'latest',
        sourceType,
        allowAwaitOutsideFunction: sourceType === 'module',
        allowSuperOutsideMethod: true,
        // A nested class may use the private names of the one around it.
        checkPrivateFields: false,
      });
    } catch {
      continue;
    }
  }
  return null;
}
