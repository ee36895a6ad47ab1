/** A parameter of a constructor in a chain of classes, for what its decorators and its type say. */
export interface ParameterSource {
  readonly owner: object;
  readonly index: number;
}

/** One constructor parameter: the property that holds it, or why there is none. */
export interface ParameterShape {
  /** For messages; a minifier may have shortened it. */
  readonly name: string;
  readonly property: string | null;
  readonly problem: string | null;
  readonly hasDefault: boolean;
  /** Its own class first, then the superclass's parameter that it is passed to. */
  readonly sources: readonly ParameterSource[];
}

/** null: the class's text cannot be read. */
export type ConstructorShape = readonly ParameterShape[] | null;
