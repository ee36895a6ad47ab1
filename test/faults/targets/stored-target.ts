import type { BackendFactory } from '../../../lib/contract/index.js';
import type { DirectQueue, FaultTarget, Role, TargetKind } from '../target.js';
import { openDirectQueue } from '../direct-queue.js';
import { leftoversOf } from '../leftovers.js';

/** What the targets whose jobs outlive a process differ in. */
export interface StoredTargetParts extends Pick<FaultTarget, 'server' | 'proxies' | 'leaseSeconds'> {
  readonly kind: Pick<TargetKind, 'name' | 'rules'>;
  environment(role: Role): Readonly<Record<string, string>>;
  /** The queue past every proxy. */
  readonly direct: BackendFactory;
  /** Other counts than the backend's own. */
  readonly leftovers?: FaultTarget['leftovers'];
  /** Removes what was made for the trial, when every connection to it is closed. */
  remove(): Promise<void>;
}

/** A target over them, which keeps one connection of its own for its counts. */
export function storedTarget(parts: StoredTargetParts): FaultTarget {
  const opened: DirectQueue[] = [];
  const open = async (): Promise<DirectQueue> => {
    const direct = await openDirectQueue(parts.direct);
    opened.push(direct);
    return direct;
  };
  let witness: Promise<DirectQueue> | null = null;
  const witnessed = async (): Promise<DirectQueue> => (witness ??= open());
  return {
    ...parts.kind,
    leaseSeconds: parts.leaseSeconds,
    environment: (role) => parts.environment(role),
    server: parts.server,
    proxies: parts.proxies,
    open,
    leftovers: parts.leftovers ?? (async () => leftoversOf((await witnessed()).backend)),
    async close() {
      await Promise.allSettled(opened.map((direct) => direct.close()));
      await parts.remove();
    },
  };
}
