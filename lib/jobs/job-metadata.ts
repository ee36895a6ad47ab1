import 'reflect-metadata';

/** What parameter decorators noted for one parameter of a constructor. */
export interface ParameterMarks {
  readonly sensitive: boolean;
  /** What `@Arg()` was given; absent without one. */
  readonly declaration?: { readonly of: unknown };
}

const MARKS = 'kinetis-queue:parameters';
/** Where Nest's `@Optional()` keeps the indexes of a constructor's parameters. */
const NEST_OPTIONAL = 'optional:paramtypes';
const EMITTED_TYPES = 'design:paramtypes';

type MarksByIndex = ReadonlyMap<number, ParameterMarks>;

/** Adds to what is noted for a parameter, on the class itself. */
export function markParameter(target: object, index: number, marks: Partial<ParameterMarks>): void {
  const all = new Map(marksOf(target));
  all.set(index, { sensitive: false, ...all.get(index), ...marks });
  Reflect.defineMetadata(MARKS, all, target);
}

export function parameterMarks(target: object, index: number): ParameterMarks | null {
  return marksOf(target).get(index) ?? null;
}

export function isMarkedOptional(target: object, index: number): boolean {
  const optional: unknown = Reflect.getOwnMetadata(NEST_OPTIONAL, target);
  return Array.isArray(optional) && optional.includes(index);
}

/** The constructor's types as TypeScript emitted them, null where it emitted none. */
export function emittedTypes(target: object): readonly unknown[] | null {
  const types: unknown = Reflect.getOwnMetadata(EMITTED_TYPES, target);
  return Array.isArray(types) ? types : null;
}

function marksOf(target: object): MarksByIndex {
  return (Reflect.getOwnMetadata(MARKS, target) as MarksByIndex | undefined) ?? new Map();
}
