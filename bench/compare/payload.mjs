// What every contestant carries: the arguments of one job. `bytes` is the length of its text as JSON, about.
const FRAME = 120;

export function payloadOf(n, bytes = 200) {
  return {
    invoice: n,
    address: 'someone@example.test',
    at: '2026-01-01T00:00:00.000000Z',
    note: 'x'.repeat(Math.max(0, bytes - FRAME)),
  };
}
