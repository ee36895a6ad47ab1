const CLASS_NAME = /^[A-Za-z_$][\w$]{0,127}$/;

/**
 * `error.type` of the conventions: the name of the error's class, which says nothing of its message. Where `name` is no
 * class name (it is free text that anybody may set) the constructor's counts.
 */
export function errorTypeOf(error: unknown): string {
  try {
    if (!(error instanceof Error)) return '_OTHER';
    const names = [error.name, error.constructor.name].filter((name) => CLASS_NAME.test(name));
    return names.find((name) => name !== 'Error') ?? names[0] ?? '_OTHER';
  } catch {
    return '_OTHER';
  }
}
