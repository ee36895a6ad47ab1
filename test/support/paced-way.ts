import type { Socket } from 'node:net';

/** How a slow wire carries bytes. */
export interface Pace {
  /** How long each byte is under way at least. */
  readonly delayMs: number;
  readonly bytesPerSecond: number;
  /** The longest piece that arrives at a time, so that messages come in parts. */
  readonly pieceBytes: number;
}

interface Piece {
  readonly bytes: Buffer;
  readonly dueMs: number;
}

/** One direction of a connection. Bytes arrive in their order, whatever pace was set meanwhile. */
export class PacedWay {
  readonly #underWay: Piece[] = [];
  #timer: NodeJS.Timeout | null = null;
  #lastDueMs = 0;

  constructor(private readonly end: Socket) {}

  /** Passes on at once, or as slowly as `pace` says. */
  carry(chunk: Buffer, pace: Pace | null): void {
    if (pace === null && this.#underWay.length === 0) return void this.end.write(chunk);
    const { delayMs, bytesPerSecond, pieceBytes } = pace ?? {
      delayMs: 0,
      bytesPerSecond: Infinity,
      pieceBytes: chunk.length,
    };
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const bytes = chunk.subarray(at, at + pieceBytes);
      const fromMs = Math.max(this.#lastDueMs, performance.now() + delayMs);
      this.#lastDueMs = fromMs + (bytes.length / bytesPerSecond) * 1_000;
      this.#underWay.push({ bytes, dueMs: this.#lastDueMs });
    }
    this.#timer ??= this.#next();
  }

  /** Lets everything arrive that is under way. */
  hurry(): void {
    this.#stopTimer();
    for (const { bytes } of this.#underWay.splice(0)) this.end.write(bytes);
  }

  /** Loses everything that is under way. */
  drop(): void {
    this.#stopTimer();
    this.#underWay.length = 0;
  }

  #next(): NodeJS.Timeout | null {
    const first = this.#underWay[0];
    if (first === undefined) return null;
    return setTimeout(() => this.#arrive(), Math.max(0, first.dueMs - performance.now()));
  }

  #arrive(): void {
    while (this.#underWay.length > 0 && (this.#underWay[0] as Piece).dueMs <= performance.now()) {
      this.end.write((this.#underWay.shift() as Piece).bytes);
    }
    this.#timer = this.#next();
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#lastDueMs = 0;
  }
}
