import type { LoggerService } from '@nestjs/common';

/** The fields of a worker's log lines that are shown here. */
interface WorkerLine {
  readonly event?: string;
  readonly job?: string;
  readonly queue?: string;
  readonly queues?: readonly string[];
  readonly attempts?: number;
  readonly durationMs?: number | null;
  readonly error?: string;
  readonly reason?: string;
}

/**
 * Writes a short line for what happened to a job, also where no terminal is. (Without a logger of its own a worker
 * writes JSON there.) What is only about starting, of Nest and of the environment, is left out.
 */
export class LineLogger implements LoggerService {
  log(message: unknown): void {
    if (isWorkerLine(message) && message.event !== 'worker.environment') this.#write(message);
  }

  warn(message: unknown): void {
    this.#write(message);
  }

  error(message: unknown): void {
    this.#write(message);
  }

  fatal(message: unknown): void {
    this.#write(message);
  }

  #write(message: unknown): void {
    const time = new Date().toISOString().slice(11, 19);
    process.stdout.write(`${time} worker: ${isWorkerLine(message) ? lineOf(message) : String(message)}\n`);
  }
}

function isWorkerLine(message: unknown): message is WorkerLine {
  return typeof message === 'object' && message !== null && 'event' in message;
}

/** `ran SendWelcomeEmail from "mail" in 9.1 ms (attempt 1)` */
function lineOf({ event = '', job, queue, queues, attempts, durationMs, error, reason }: WorkerLine): string {
  const parts = [event === 'job.succeeded' ? 'ran' : event.replace(/^\w+\./, '')];
  if (job !== undefined) parts.push(job);
  if (queue !== undefined) parts.push(`from "${queue}"`);
  if (queues !== undefined) parts.push(queues.join(', '));
  if (durationMs != null) parts.push(`in ${durationMs} ms`);
  if (attempts !== undefined) parts.push(`(attempt ${attempts})`);
  if (reason !== undefined) parts.push(reason);
  if (error !== undefined) parts.push(`- ${error}`);
  return parts.join(' ');
}
