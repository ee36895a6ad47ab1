import { expect, test } from 'vitest';
import { ServerRefused, type SettleOutcome, type Settlement } from '../../lib/contract/index.js';
import { MemoryBackend } from '../../lib/backends/memory/memory-backend.js';
import { Note } from '../../lib/testing/conformance/jobs.js';
import { CrippledBackend } from '../support/crippled/crippled-backend.js';
import { sqsProfile } from '../support/crippled/profiles.js';
import { queuesOver } from '../support/fake-backend.js';

/** Refuses the first ack, after the follow-up was stored. */
class RefusesFirstAck extends CrippledBackend {
  #refused = false;

  override async settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    if (this.#refused) return super.settle(settlements);
    this.#refused = true;
    return settlements.map(() => ({ status: 'refused', error: new ServerRefused('Throttled.') }));
  }
}

test('an ack that was refused and is sent again stores the next step of its chain once', async () => {
  const memory = new MemoryBackend(60, { now: () => Date.now() }, null);
  const backend = new RefusesFirstAck(memory, sqsProfile.capabilities, sqsProfile);
  const { default: queue } = queuesOver({ default: backend });
  const { connection } = queue;
  await queue.chain([new Note('a'), new Note('b')]);
  const [job] = await connection.reserve(['default'], 1);
  if (job === undefined || !('handle' in job)) throw new TypeError('Expected the first step.');
  await expect(connection.settler.ack(job)).rejects.toThrow(ServerRefused);
  await connection.settler.ack(job);
  const next = [await connection.reserve(['default'], 1), await connection.reserve(['default'], 1)].flat();
  expect(next).toHaveLength(1);
});
