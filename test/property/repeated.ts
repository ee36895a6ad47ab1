import type { Parameters } from 'fast-check';

/**
 * A failure prints its seed and path. KINETIS_TEST_SEED and KINETIS_TEST_PATH repeat it: with the path, only that one and
 * what it shrinks to.
 */
export function repeated<T>(parameters: Parameters<T>): Parameters<T> {
  const { KINETIS_TEST_SEED: seed, KINETIS_TEST_PATH: path } = process.env;
  return {
    ...parameters,
    ...(seed === undefined ? {} : { seed: Number(seed) }),
    ...(path === undefined ? {} : { path }),
  };
}
