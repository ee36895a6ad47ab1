import { NOT_FOUND, replyCodeOf } from './broker-errors.js';
import type { Declarer } from './declarer.js';
import {
  deadQueue,
  ladderFoot,
  type Route,
  type Topology,
  type TopologySettings,
  workQueueName,
  workTopology,
} from './topology/index.js';

/**
 * What was declared over one connection, each thing once, until something says that it is gone. What several ask for at
 * the same time is declared once for all of them.
 */
export class Declarations {
  private readonly done = new Map<string, Promise<number>>();
  private readonly underWay = new Map<string, Promise<number>>();

  constructor(
    private readonly settings: TopologySettings,
    private readonly declarer: Declarer,
  ) {}

  /** The queue of jobs. */
  async work(queue: string): Promise<void> {
    await this.once(`work ${queue}`, () => workTopology(this.settings, queue));
  }

  /** The queue of its dead letters. */
  async dead(queue: string): Promise<void> {
    await this.once(`dead ${queue}`, () => [deadQueue(this.settings, queue)]);
  }

  /**
   * What a delayed job passes on its way. Resolves with when the last declaration was sent, on the monotonic clock.
   *
   * That the queue of jobs is there is made sure of each time: no broker tells a process that only pushes that a queue
   * was deleted, and what leaves a wait finds no way then.
   */
  async wait(queue: string, route: Route): Promise<number> {
    if (this.settings.delays === 'hold') {
      const topology = [...workTopology(this.settings, queue), ...route.waits];
      return this.together(`hold ${route.routingKey}`, () => this.declarer.apply(topology));
    }
    return this.together(`ladder ${route.exchange}`, () => this.ladder(queue, route));
  }

  /** What is there already, as it would be declared now. Rejects as `Declarer` does where it is declared differently. */
  async again(topology: Topology): Promise<void> {
    await this.declarer.apply(topology);
  }

  /** Something of the queue is gone: all of it is declared again before it is used. */
  forget(queue: string): void {
    for (const key of this.done.keys()) if (key.split(' ')[1] === queue) this.done.delete(key);
  }

  private async ladder(queue: string, { exchange, waits }: Route): Promise<number> {
    const key = `tiers ${queue} ${exchange}`;
    if (this.done.has(`work ${queue}`) && this.done.has(key)) {
      const foot = ladderFoot(workQueueName(this.settings.prefix, queue));
      try {
        return await this.together(`foot ${queue}`, () => this.declarer.apply(foot));
      } catch (error) {
        if (replyCodeOf(error) !== NOT_FOUND) throw error;
        this.forget(queue);
      }
    }
    await this.work(queue);
    return this.once(key, () => waits);
  }

  private async once(key: string, topology: () => Topology): Promise<number> {
    let declared = this.done.get(key);
    if (declared === undefined) {
      declared = this.declarer.apply(topology());
      this.done.set(key, declared);
      declared.catch(() => {
        if (this.done.get(key) === declared) this.done.delete(key);
      });
    }
    return declared;
  }

  private together(key: string, declare: () => Promise<number>): Promise<number> {
    let declared = this.underWay.get(key);
    if (declared === undefined) {
      declared = declare().finally(() => this.underWay.delete(key));
      this.underWay.set(key, declared);
    }
    return declared;
  }
}
