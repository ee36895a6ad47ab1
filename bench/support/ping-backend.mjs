// A backend by its description, which can be handed to another process.
export async function backendOf({ name, options }) {
  const { [name]: backend } = await import(`../../dist/lib/${name}.js`);
  return backend(options);
}
