import { minifySync, transformSync } from 'rolldown/utils';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { JobDeclarationException } from '../../lib/contract/index.js';
import { Job, jobDefinition, type JobClass, type JobOptions } from '../../lib/jobs/index.js';

/** What the classes below must come to under every compiler: property, `?` where it may be left out. */
const EXPECTED: { readonly [name: string]: readonly string[] } = {
  Plain: ['email', 'token', 'tries?'],
  Assigned: ['address', 'retries?'],
  WithFields: ['email', 'kind?'],
  Sub: ['email', 'extra'],
  Inherits: ['email', 'token', 'tries?'],
  InheritsWithField: ['email', 'token', 'tries?'],
  Generic: ['items', 'size?'],
  Redeclared: ['email'],
  Guarded: ['email', 'count'],
  Empty: [],
};

const SOURCE = `
  class Plain {
    constructor(readonly email: string, private token: string, public tries = 3) {}
    handle() { return this.token; }
  }
  class Assigned {
    readonly address: string;
    readonly #seen = new Set<string>();
    retries: number;
    constructor(email: string, retries?: number) {
      this.address = email;
      this.retries = retries ?? 5;
      this.#seen.add(email);
    }
    handle() { return this.#seen; }
  }
  class WithFields {
    readonly created = 1;
    static made = 0;
    slug = 'x';
    constructor(readonly email: string, readonly kind: string = ['a', 'b'].map((e) => e + 1).join()) {
      WithFields.made += 1;
      this.slug = email.toLowerCase();
    }
    handle() {}
  }
  class Sub extends Plain {
    constructor(email: string, readonly extra: string[]) { super(email, 'fixed'); }
  }
  class Inherits extends Plain {}
  class InheritsWithField extends Plain { readonly more = { a: 1 }; private later?: string; other() { return this.later; } }
  abstract class Base<T> { constructor(protected readonly items: T[], protected readonly size = 1) {} }
  class Generic<T> extends Base<T> {
    constructor(items: T[], size?: number) { super(items, size); }
    handle() { return this.items; }
  }
  class Redeclared extends Plain {
    constructor(override readonly email: string) { super(email, 'a'); }
  }
  class Guarded {
    constructor(readonly email: string, readonly count: number) {
      if (email === '') throw new Error('an address is needed');
      for (const e of [count]) { if (e < 0) throw new RangeError(); }
    }
    handle() {}
  }
  class Empty { handle() {} }
  return { ${Object.keys(EXPECTED).join(', ')} };
`;

type Compile = (source: string) => string;

function tsc(target: ts.ScriptTarget, useDefineForClassFields: boolean): Compile {
  return (source) =>
    ts.transpileModule(source, {
      compilerOptions: { target, useDefineForClassFields, module: ts.ModuleKind.ESNext, strict: true },
    }).outputText;
}

function oxc(target: string, setPublicClassFields: boolean): Compile {
  return (source) => {
    const result = transformSync('classes.ts', source, {
      target,
      assumptions: { setPublicClassFields },
      typescript: { removeClassFieldsWithoutInitializer: setPublicClassFields },
      // Helpers are imported from a package; a stand-in does what they do.
      helpers: { mode: 'External' },
    });
    expect(result.errors).toEqual([]);
    return result.code;
  };
}

function minified(compile: Compile): Compile {
  return (source) => {
    const result = minifySync('classes.js', compile(source), { mangle: true, compress: true });
    expect(result.errors).toEqual([]);
    return result.code;
  };
}

const COMPILERS: { readonly [name: string]: Compile } = {
  'tsc es2015': tsc(ts.ScriptTarget.ES2015, false),
  'tsc es2017, defined fields': tsc(ts.ScriptTarget.ES2017, true),
  'tsc es2019': tsc(ts.ScriptTarget.ES2019, false),
  'tsc es2021, defined fields': tsc(ts.ScriptTarget.ES2021, true),
  'tsc es2022': tsc(ts.ScriptTarget.ES2022, true),
  'tsc es2022, assigned fields': tsc(ts.ScriptTarget.ES2022, false),
  'tsc esnext': tsc(ts.ScriptTarget.ESNext, true),
  'oxc es2015': oxc('es2015', false),
  'oxc es2019, assigned fields': oxc('es2019', true),
  'oxc es2022': oxc('es2022', false),
  'oxc esnext': oxc('esnext', false),
};

const define = (object: object, key: string, value: unknown): object =>
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
/** The helpers of compilers that these classes need, by any name. */
const HELPERS = new Proxy(
  {},
  { get: (_target, name) => (name === 'defineProperty' ? define : () => new Set()) },
);

/** Compiles the classes as the body of a function and runs it. */
function classesOf(compile: Compile): { readonly [name: string]: JobClass } {
  const code = compile(`export const classes = (() => {${SOURCE}})();`)
    .replace(/^import .*$/gm, '')
    .replace(/export const classes\s*=/, 'return ')
    .replace(/export\s*\{[^}]*\};?\s*$/, '');
  return new Function('babelHelpers', '_defineProperty', code)(HELPERS, define) as {
    readonly [name: string]: JobClass;
  };
}

function argumentsOf(target: JobClass, options: JobOptions = {}): string[] {
  Job({ name: 'Declared', ...options })(target);
  return jobDefinition(target).args.map((plan) => plan.parameter + (plan.optional ? '?' : ''));
}

/** What the classes come to: class by class, the names of their arguments. */
function read(compile: Compile): { readonly [name: string]: readonly string[] } {
  const classes = classesOf(compile);
  return Object.fromEntries(Object.entries(classes).map(([name, target]) => [name, argumentsOf(target)]));
}

describe('argument names come from the properties that the constructor assigns', () => {
  for (const [name, compile] of Object.entries(COMPILERS)) {
    it(`in the output of ${name}`, () => expect(read(compile)).toEqual(EXPECTED));
    it(`in the minified output of ${name}`, () => expect(read(minified(compile))).toEqual(EXPECTED));
  }
});

/** Texts as other compilers and minifiers wrote them, kept by hand. `P` is the superclass. */
const KEPT: readonly (readonly [what: string, text: string, expected: readonly string[]])[] = [
  [
    'esbuild, minified',
    'class{constructor(e,t,r=3){this.email=e;this.token=t;this.tries=r}handle(){}}',
    ['email', 'token', 'tries?'],
  ],
  [
    'esbuild, fields lowered',
    'class{constructor(e,t){__publicField(this,"email",e);__publicField(this,"seen",[]);__publicField(this,"token");this.token=t}handle(){}}',
    ['email', 'token'],
  ],
  [
    'SWC, fields lowered',
    'class Mail{handle(){}constructor(email,token){_define_property(this,"email",void 0);_define_property(this,"token",void 0);this.email=email;this.token=token!==null&&token!==void 0?token:5}}',
    ['email', 'token?'],
  ],
  [
    'SWC, helpers from a package, minified',
    'class t{handle(){}constructor(t,e){(0,r._)(this,"email",void 0),(0,r._)(this,"token",void 0),this.email=t,this.token=null!=e?e:5}}',
    ['email', 'token?'],
  ],
  [
    'SWC, a subclass with fields',
    'class Sub extends P{constructor(...args){super(...args),_define_property(this,"more",1)}}',
    ['first', 'second?'],
  ],
  [
    'tsc, a subclass with fields',
    'class Sub extends P{constructor(){super(...arguments);this.more=1}}',
    ['first', 'second?'],
  ],
  [
    'terser, all in one expression',
    'class extends P{constructor(t,s){super(t,2),this.extra=s}}',
    ['first', 'extra'],
  ],
  [
    'terser, a check between assignments',
    'class{constructor(t,s){if(this.a=t,!s)throw new Error("no");this.b=s}handle(){}}',
    ['a', 'b'],
  ],
  ['terser, a default by void 0', 'class{constructor(t){this.a=void 0===t?4:t}handle(){}}', ['a?']],
  [
    'terser, inner functions that use the same letters',
    'class{constructor(t){this.items=t,this.sum=t.reduce((t,e)=>(t+=e,t),0),this.f=function(){var t=1;t++;return t}}handle(){}}',
    ['items'],
  ],
  [
    'istanbul, counters everywhere',
    'class Mail{constructor(email,tries=(cov.b[0][0]++,3)){cov.f[0]++;cov.s[1]++;this.email=email;cov.s[2]++;this.tries=(cov.s[3]++,tries);}handle(){}}',
    ['email', 'tries?'],
  ],
  [
    'tsc, defined fields',
    'class Mail{constructor(email){Object.defineProperty(this,"email",{enumerable:true,configurable:true,writable:true,value:email});Object.defineProperty(this,"x",{value:void 0})}handle(){}}',
    ['email'],
  ],
  [
    'tsc, a field with an initializer that older targets assign',
    'class Mail{constructor(email){this.email="none";this.email=email}handle(){}}',
    ['email'],
  ],
  [
    'SWC in loose mode',
    'class Mail{constructor(email){this.email=void 0;this.email=email}handle(){}}',
    ['email'],
  ],
  [
    'esbuild, names kept',
    'class{static{(()=>{})(this,"Mail")}static made=0;constructor(e){this.email=e}handle(){}}',
    ['email'],
  ],
  ['a name in quotes', "class{constructor(a){this['mail-to']=a}handle(){}}", ['mail-to']],
  ['a property named constructor', 'class{constructor(a){this.constructor=a}handle(){}}', ['constructor']],
  ['private names of the class around it', 'class{constructor(a){this.a=a}handle(x){return #s in x}}', ['a']],
];

class P {
  constructor(
    readonly first: string,
    readonly second = 1,
  ) {}
  handle(): void {}
}

function evaluate(text: string, around = ''): JobClass {
  return new Function('P', 'cov', '__publicField', '_define_property', 'r', `${around}; return (${text})`)(
    P,
  ) as JobClass;
}

describe('argument names in text that no compiler at hand writes', () => {
  it.each(KEPT)('%s', (_what, text, expected) => {
    const target = text.includes('#s in x')
      ? (new Function(`let inner; class Outer { #s; static { inner = ${text} } } return inner`)() as JobClass)
      : evaluate(text);
    expect(argumentsOf(target)).toEqual(expected);
  });
});

const REFUSED: readonly (readonly [what: string, text: string, message: RegExp])[] = [
  [
    'a rest parameter',
    'class Mail{constructor(a,...b){this.a=a;this.b=b}handle(){}}',
    /parameter 2 \(#2\) is a rest/,
  ],
  [
    'a destructured parameter',
    'class Mail{constructor({a}){this.a=a}handle(){}}',
    /parameter 1 \(#1\) is destructured/,
  ],
  [
    'a private field',
    'class Mail{#a;constructor(a){this.#a=a}handle(){}}',
    /parameter 1 \(a\) is assigned to the private #a/,
  ],
  ['two properties', 'class Mail{constructor(a){this.a=a;this.b=a}handle(){}}', /more than one property/],
  [
    'two properties in one go',
    'class Mail{constructor(a){this.a=this.b=a}handle(){}}',
    /more than one property/,
  ],
  [
    'its own and another one of the superclass',
    'class Mail extends P{constructor(a){super(a);this.a=a}}',
    /more than one property/,
  ],
  [
    'a transformed value',
    'class Mail{constructor(a){this.a=a.trim()}handle(){}}',
    /not assigned to a property as it is/,
  ],
  [
    'a value or something else for a falsy one',
    'class Mail{constructor(a){this.a=a||1}handle(){}}',
    /not assigned/,
  ],
  ['an unassigned parameter', 'class Mail{constructor(a){}handle(){}}', /not assigned/],
  [
    'a parameter that changes first',
    'class Mail{constructor(a){a=a.trim();this.a=a}handle(){}}',
    /gets another value/,
  ],
  [
    'a parameter that changes in a closure',
    'class Mail{constructor(a){this.a=a;[1].map(()=>a++)}handle(){}}',
    /gets another value/,
  ],
  [
    'a parameter that the default of another changes',
    'class Mail{constructor(a,b=(a=1)){this.a=a;this.b=b}handle(){}}',
    /parameter 1 \(a\) gets another value/,
  ],
  [
    'a property that changes under a condition',
    'class Mail{constructor(a){if(a)this.a=1;this.a=a}handle(){}}',
    /gets other values as well/,
  ],
  [
    'a parameter that is destructured into',
    'class Mail{constructor(a,b){[a]=b;this.a=a;this.b=b}handle(){}}',
    /gets another value/,
  ],
  [
    'a property that changes later',
    'class Mail{constructor(a){this.a=a;this.a+=1}handle(){}}',
    /"a", which gets other values as well/,
  ],
  [
    'two parameters for one property',
    'class Mail{constructor(a,b){this.a=a;this.a=b}handle(){}}',
    /gets other values as well/,
  ],
  ['a condition', 'class Mail{constructor(a){if(a)this.a=a}handle(){}}', /only under a condition/],
  ['a condition in short', 'class Mail{constructor(a){a&&(this.a=a)}handle(){}}', /only under a condition/],
  ['a closure', 'class Mail{constructor(a){setTimeout(()=>{this.a=a})}handle(){}}', /only under a condition/],
  [
    'an inner name like the parameter',
    'class Mail{constructor(a){for(const a of [1])this.a=a}handle(){}}',
    /not assigned/,
  ],
  ['__proto__', 'class Mail{constructor(a){this.__proto__=a}handle(){}}', /__proto__, which is no property/],
  [
    'transformed on the way to the superclass',
    'class Mail extends P{constructor(a){super(a+1)}}',
    /not assigned/,
  ],
  ['past the end of the superclass', 'class Mail extends P{constructor(a){super("x",1,a)}}', /not assigned/],
  [
    'a superclass that changes it',
    'class Mail extends class{constructor(b){this.b=b+1}}{constructor(a){super(a)}handle(){}}',
    /passed to a superclass, where it is not assigned/,
  ],
  [
    'a field over the superclass property',
    'class Mail extends P{first=1}',
    /a field that a subclass declares again/,
  ],
  [
    'a field under an own constructor',
    'class Mail extends P{first;constructor(a){super(a)}}',
    /a field that a subclass declares again/,
  ],
  [
    'an assignment over the superclass property',
    'class Mail extends P{constructor(a){super(a);this.first=1}}',
    /a subclass assigns again/,
  ],
  ['native code', 'class Mail extends Map{handle(){}}', /cannot be read/],
  [
    'a function of ES5',
    '(()=>{function Mail(a){this.a=a}Mail.prototype.handle=function(){};return Mail})()',
    /cannot be read.*ES5/,
  ],
];

describe('a constructor that cannot be read back is refused at decoration', () => {
  it.each(REFUSED)('%s', (_what, text, message) => {
    const target = evaluate(text);
    const declare = (): unknown => argumentsOf(target);
    expect(declare).toThrow(JobDeclarationException);
    expect(declare).toThrow(message);
    expect(declare).toThrow(/^Job class Mail: .*@Job\(\{ args: \[/);
  });
});

describe('@Job({ args })', () => {
  const opaque = (): JobClass =>
    evaluate(
      'class Mail{#a;#b;constructor(a,b=2){this.#a=a;this.#b=b}get a(){return this.#a}get b(){return this.#b}handle(){}}',
    );

  it('names the properties where the constructor cannot be read', () => {
    expect(argumentsOf(opaque(), { args: ['a', 'b'] })).toEqual(['a', 'b?']);
  });

  it('serves a class that is a function where it runs', () => {
    const es5 = evaluate(
      '(()=>{function Mail(a){this.a=a}Mail.prototype.handle=function(){};return Mail})()',
    );
    expect(argumentsOf(es5, { args: ['a'] })).toEqual(['a']);
  });

  it('fixes how many arguments a rest parameter takes', () => {
    const rest = evaluate('class Mail{constructor(...parts){[this.a,this.b]=parts}handle(){}}');
    expect(argumentsOf(rest, { args: ['a', 'b'] })).toEqual(['a', 'b']);
  });

  it('takes any name where properties come from elsewhere', () => {
    const assigned = evaluate('class Mail{constructor(fields){Object.assign(this,fields)}handle(){}}');
    expect(argumentsOf(assigned, { args: ['anything'] })).toEqual(['anything']);
  });

  it.each([
    ['too few names', ['a'], /expects 2 names.*came 1/],
    ['too many names', ['a', 'b', 'c'], /expects 2 names.*came 3/],
    ['a name twice', ['a', 'a'], /"a" came twice/],
    ['a private name', ['#a', 'b'], /"#a" cannot be read from outside/],
    ['__proto__', ['__proto__', 'b'], /"__proto__" cannot be read/],
    ['an empty name', ['', 'b'], /entry 1 is none/],
    ['a typing error', ['a', 'bee'], /no property "bee"/],
  ])('refuses %s', (_what, args, message) => {
    const declare = (): unknown => argumentsOf(opaque(), { args });
    expect(declare).toThrow(JobDeclarationException);
    expect(declare).toThrow(message);
  });
});
