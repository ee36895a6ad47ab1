const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export interface SignalReactions {
  /** The first signal. */
  stop(signal: NodeJS.Signals): void;
  /** Each further one. */
  force(signal: NodeJS.Signals): void;
}

/**
 * Listens to the signals that end a process, and returns what stops the listening. Without listeners of its own a
 * process that is number 1 of a container would not react at all.
 */
export function onStopSignals(reactions: SignalReactions): () => void {
  let stopped = false;
  const listener = (signal: NodeJS.Signals): void => {
    if (stopped) return reactions.force(signal);
    stopped = true;
    reactions.stop(signal);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}
