import type { ConformanceHarness } from './harness.js';
import type { Needs } from './needs.js';
import { Session } from './session.js';

/**
 * One promise of the contract.
 *
 * @publicApi
 */
export interface ConformanceCase {
  /** Unique in the suite; begins with the concern: "leases: …". */
  readonly title: string;
  readonly needs: Needs;
  /** Rejects with an `AssertionError` when the backend breaks the promise. */
  run(harness: ConformanceHarness): Promise<void>;
}

/** The cases of one concern; each opens a store of its own and closes it whatever happened. */
export function concern(
  name: string,
  shared: Needs = {},
): (title: string, body: (session: Session) => Promise<void>, needs?: Needs) => ConformanceCase {
  return (title, body, needs = {}) => ({
    title: `${name}: ${title}`,
    needs: { delivers: true, ...shared, ...needs },
    run: (harness) => runInSession(harness, body),
  });
}

async function runInSession(
  harness: ConformanceHarness,
  body: (session: Session) => Promise<void>,
): Promise<void> {
  const session = await Session.open(harness);
  try {
    await body(session);
  } catch (error) {
    // What the case found wins over a store that then cannot be closed.
    await session.close().catch(() => undefined);
    throw error;
  }
  await session.close();
}
