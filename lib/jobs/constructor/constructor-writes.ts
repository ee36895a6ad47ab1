import type { AnyNode, AssignmentExpression, CallExpression, Expression, FunctionExpression } from 'acorn';
import { declaredNames, hiding, namesDeclaredBy, varNames } from './declared-names.js';
import { passedParameter } from './nullish-default.js';
import { assignedTargets, childrenOf, lastValue, ownPropertyName, stringValue } from './syntax.js';

/** One write of a property of the instance. */
export interface PropertyWrite {
  readonly property: string;
  /** null: written by something that is no plain assignment. */
  readonly value: Expression | null;
  /** Happens whenever the constructor runs. */
  readonly always: boolean;
}

/** What a constructor does that matters for its parameters. */
export interface ConstructorWrites {
  readonly writes: readonly PropertyWrite[];
  /** Parameters that get another value. */
  readonly changed: ReadonlySet<string>;
  /** The arguments of `super(…)`; null where there is none or more than one. */
  readonly superArguments: readonly AnyNode[] | null;
}

type FunctionNode = Extract<
  AnyNode,
  { readonly type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
>;

/** Helpers that compilers call for class fields, by the names they give them. */
const DEFINE_HELPERS = new Set(['_define_property', '_defineProperty', '__publicField', '__defNormalProp']);

const CONDITIONAL_PARTS: { readonly [type: string]: readonly string[] } = {
  IfStatement: ['consequent', 'alternate'],
  ConditionalExpression: ['consequent', 'alternate'],
  LogicalExpression: ['right'],
  AssignmentPattern: ['right'],
  SwitchStatement: ['cases'],
  ForStatement: ['body', 'update'],
  ForInStatement: ['body', 'left'],
  ForOfStatement: ['body', 'left'],
  WhileStatement: ['body'],
  TryStatement: ['block', 'handler'],
};

/** Reads a constructor. Nothing is run. */
export function readConstructor(method: FunctionExpression): ConstructorWrites {
  const reader = new ConstructorReader();
  for (const parameter of method.params) {
    if (parameter.type === 'AssignmentPattern') reader.visit(parameter.right, false, new Set());
  }
  reader.visit(method.body, true, new Set());
  const calls = reader.superCalls;
  const [only] = calls;
  return {
    writes: reader.writes,
    changed: reader.changed,
    superArguments: calls.length === 1 && only !== undefined ? only.arguments : null,
  };
}

class ConstructorReader {
  readonly writes: PropertyWrite[] = [];
  readonly changed = new Set<string>();
  readonly superCalls: CallExpression[] = [];

  /** `hidden`: names that an inner function or block declares anew. */
  visit(node: AnyNode, always: boolean, outer: ReadonlySet<string>): void {
    const hidden = hiding(outer, namesDeclaredBy(node));
    switch (node.type) {
      case 'ClassDeclaration':
      case 'ClassExpression':
        // Another `this`; its computed names and heritage are not worth the case.
        return;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        this.visitFunction(node, hidden);
        return;
      case 'AssignmentExpression':
        this.readAssignment(node, always, hidden);
        break;
      case 'VariableDeclarator':
        if (node.init) this.readTargets(node.id, always, hidden);
        break;
      case 'UpdateExpression':
        this.readTargets(node.argument, always, hidden);
        break;
      case 'UnaryExpression':
        if (node.operator === 'delete') this.readTargets(node.argument, always, hidden);
        break;
      case 'ForInStatement':
      case 'ForOfStatement':
        this.readTargets(node.left, false, hidden);
        break;
      case 'CallExpression':
        this.readCall(node, always);
        break;
      default:
    }
    this.visitChildren(node, always, hidden);
  }

  private visitChildren(node: AnyNode, always: boolean, hidden: ReadonlySet<string>): void {
    const conditional = (CONDITIONAL_PARTS[node.type] ?? []).flatMap(
      (part) => Reflect.get(node, part) as unknown,
    );
    for (const child of childrenOf(node)) this.visit(child, always && !conditional.includes(child), hidden);
  }

  private visitFunction(node: FunctionNode, hidden: ReadonlySet<string>): void {
    const inner = hiding(hidden, [...node.params.flatMap(declaredNames), ...varNames(node.body)]);
    if (node.type !== 'ArrowFunctionExpression') {
      // `this` is another one in there, but the constructor's parameters are the same.
      const apart = new ConstructorReader();
      apart.visitChildren(node, false, inner);
      for (const name of apart.changed) this.changed.add(name);
      return;
    }
    this.visitChildren(node, false, inner);
  }

  private readAssignment(node: AssignmentExpression, always: boolean, hidden: ReadonlySet<string>): void {
    const property = node.left.type === 'MemberExpression' ? ownPropertyName(node.left) : null;
    if (property === null) {
      this.readTargets(node.left, always, hidden);
      return;
    }
    const value = node.operator === '=' ? visible(lastValue(node.right), hidden) : null;
    this.writes.push({ property, value, always });
  }

  private readTargets(pattern: AnyNode, always: boolean, hidden: ReadonlySet<string>): void {
    for (const target of assignedTargets(pattern)) {
      const property = ownPropertyName(target);
      if (property !== null) this.writes.push({ property, value: null, always });
      else if (target.type === 'Identifier' && !hidden.has(target.name)) this.changed.add(target.name);
    }
  }

  /** `super(…)`, and the calls that define a field: `Object.defineProperty(this, 'x', { value })` and helpers. */
  private readCall(node: CallExpression, always: boolean): void {
    if (node.callee.type === 'Super') {
      this.superCalls.push(node);
      return;
    }
    const [object, name, given] = node.arguments;
    const property = stringValue(name);
    if (object?.type !== 'ThisExpression' || property === null || given === undefined) return;
    const value = definedValue(node, given);
    if (value !== undefined && !isVoid(value))
      this.writes.push({ property, value: lastValue(value), always });
  }
}

function definedValue(call: CallExpression, given: AnyNode): Expression | undefined {
  if (calleeName(call.callee) === 'defineProperty' && given.type === 'ObjectExpression') {
    const found = given.properties.find(
      (entry) => entry.type === 'Property' && entry.key.type === 'Identifier' && entry.key.name === 'value',
    );
    return found?.type === 'Property' ? found.value : undefined;
  }
  return DEFINE_HELPERS.has(calleeName(call.callee) ?? '') && given.type !== 'SpreadElement'
    ? (given as Expression)
    : undefined;
}

function calleeName(callee: AnyNode): string | null {
  if (callee.type === 'Identifier') return callee.name;
  // A bundler's `(0, helpers._define_property)(…)`.
  if (callee.type === 'SequenceExpression') return calleeName(lastValue(callee));
  if (callee.type !== 'MemberExpression') return null;
  if (callee.property.type === 'Identifier' && callee.property.name !== '_') return callee.property.name;
  return calleeName(callee.object);
}

function isVoid(node: AnyNode): boolean {
  return node.type === 'UnaryExpression' && node.operator === 'void';
}

/** An inner name that hides a parameter is not the parameter. */
function visible(node: Expression, hidden: ReadonlySet<string>): Expression | null {
  return hidden.has(passedParameter(node)?.name ?? '') ? null : node;
}
