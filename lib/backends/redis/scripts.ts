import { queueKey } from './queue-keys.js';
import { SCRIPTS } from './scripts.generated.js';
import { isReply, type Wire, type WireArgument } from './wire.js';

export type ScriptName = keyof typeof SCRIPTS;

/** Runs the scripts of `scripts/` on one queue's keys. */
export class Scripts {
  constructor(
    private readonly wire: Wire,
    private readonly prefix: string,
  ) {}

  /** Called by digest; a server that does not know it (new, restarted, flushed) has run nothing and is told the source. */
  async run(name: ScriptName, queue: string, args: readonly WireArgument[] = []): Promise<unknown> {
    const { sha, source, keys } = SCRIPTS[name];
    const rest = [keys.length, ...keys.map((key) => queueKey(this.prefix, queue, key)), ...args];
    try {
      return await this.wire.send('evalsha', [sha, ...rest]);
    } catch (error) {
      if (!isReply(error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return this.wire.send('eval', [source, ...rest]);
    }
  }
}
