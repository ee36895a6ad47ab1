import type { GetMessage } from 'amqplib';
import { NOT_FOUND, replyCodeOf } from './broker-errors.js';
import type { Broker } from './broker.js';
import type { DeliveryChannel } from './delivery-channel.js';

/** Looks at one dead letter; false ends the scan. It may acknowledge it, which takes it out. */
export type Visit = (message: GetMessage, channel: DeliveryChannel) => Promise<boolean>;

/**
 * Reads dead letters from the oldest on. A broker shows no message without handing it out: those that were read are held
 * until the scan ends, and go back to where they were when its channel is closed. Scans of one queue take turns, for one
 * does not see what another holds.
 */
export class DeadLetters {
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(private readonly broker: Broker) {}

  scan(deadQueue: string, most: number, visit: Visit): Promise<void> {
    const before = this.turns.get(deadQueue) ?? Promise.resolve();
    const scanned = before.then(() => this.scanNow(deadQueue, most, visit));
    const turn = scanned
      .catch(() => undefined)
      .finally(() => {
        if (this.turns.get(deadQueue) === turn) this.turns.delete(deadQueue);
      });
    this.turns.set(deadQueue, turn);
    return scanned;
  }

  private async scanNow(deadQueue: string, most: number, visit: Visit): Promise<void> {
    const channel = await (await this.broker.session()).openDeliveries();
    try {
      for (let read = 0; read < most; read += 1) {
        const message = await channel.get(deadQueue);
        if (message === null || !(await visit(message, channel))) return;
      }
    } catch (error) {
      // No job of the queue has failed yet.
      if (replyCodeOf(error) !== NOT_FOUND) throw error;
    } finally {
      await channel.close();
    }
  }
}
