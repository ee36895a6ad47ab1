import { afterAll, beforeAll } from 'vitest';
import { Session } from '../../../lib/testing/conformance/session.js';
import type { TestStore } from './stores.js';

/** Opens a store, and a session on it, for the tests of a describe, and closes both after them. */
export function withSession(open: () => Promise<TestStore>, use: (session: Session) => void): void {
  let store: TestStore;
  let session: Session;
  beforeAll(async () => {
    store = await open();
    session = await Session.open(store.harness);
    use(session);
  });
  afterAll(async () => {
    await session.close();
    await store.close();
  });
}
