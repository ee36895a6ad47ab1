/** Backends that need no server: tested when the tests are run without `npm test`. */
const embedded = ['memory', 'sqlite'];

/** The names of the backends that this run tests. `npm test` looks for their servers and hands the names over. */
export function testedBackends(): readonly string[] {
  const names = process.env['KINETIS_TEST_BACKENDS'];
  return names === undefined ? embedded : names.split(',').filter((name) => name !== '');
}

/** Whether this run tests that backend. */
export function isTested(backend: string): boolean {
  return testedBackends().includes(backend);
}
