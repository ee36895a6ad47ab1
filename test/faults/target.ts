import type { Queue, QueueConsumer } from '../../lib/queue/index.js';
import type { QueueBackend } from '../../lib/contract/index.js';

/** The names of targets, in the order of the table's columns. */
export const TARGET_NAMES = [
  'memory',
  'sqlite',
  'postgres',
  'mariadb',
  'redis',
  'redis-cluster',
  'rabbitmq',
  'rabbitmq-quorum',
  'sqs',
] as const;
export type TargetName = (typeof TARGET_NAMES)[number];

/** What a backend promises about its deliveries, for the judge, and for cells that ask whether they make sense. */
export interface DeliveryRules {
  /** A settlement by a delivery that is no longer current is told stale and changes nothing. */
  readonly fenced: boolean;
  /** A delivery is a lease. Where false it is a worker's until its connection ends. */
  readonly leases: boolean;
  /** After so long a silence of a client its server takes it for lost and delivers again; null: never. */
  readonly silenceSeconds: number | null;
  /** An ack is answered. Where false one that was sent right before its connection was lost may not have arrived. */
  readonly answersAcks: boolean;
  /** The service itself may deliver again what was settled. */
  readonly redelivers: boolean;
  readonly countsCrashes: boolean;
  /** Failed jobs can be listed. */
  readonly listsFailed: boolean;
}

/** Whose wire it is: each role has a proxy of its own. */
export type Role = 'pusher' | 'workers';

/** A server of the trial's own; what it has said yes to outlives a kill. */
export interface FaultServer {
  /** SIGKILL to all of its processes. Resolves when they are gone. */
  kill(): Promise<void>;
  /** Starts it again on its port and its files, and resolves when it takes connections. */
  restart(): Promise<void>;
  /** SIGSTOP to all of its processes. */
  stop(): void;
  /** SIGCONT. */
  continue(): void;
}

/** What can be done to the wire between the processes of a role and the server. */
export interface FaultProxy {
  /** Ends every connection, in the middle of whatever it carries. New ones are let through. */
  cut(): void;
  /** No byte passes either way, and nobody is told. */
  stall(): void;
  /** What the client sends goes nowhere and nothing comes back: its end stays open, the server's is gone. */
  halfOpen(): void;
  /** Every chunk is late by so much, either way. */
  slow(options: { readonly delayMs: number }): void;
  /**
   * Loses the answer to the next request that changes something: the server has made the change, the client is not told,
   * and its connection is cut. Resolves when it has happened.
   */
  dropReply(): Promise<void>;
  /** Everything passes again. */
  heal(): void;
}

/** What is left after draining, as the backend itself counts it. */
export interface Leftovers {
  readonly ready: number;
  readonly delayed: number;
  readonly reserved: number;
  /** null where it cannot be known. */
  readonly failed: number | null;
  /** Ids of failed jobs; null where they cannot be listed. */
  readonly failedIds: readonly string[] | null;
}

/** The queue in the runner's own process, over a connection that no fault touches. */
export interface DirectQueue {
  readonly backend: QueueBackend;
  readonly queue: Queue;
  readonly consumer: QueueConsumer;
  close(): Promise<void>;
}

/** The queue that every trial uses. */
export const FAULT_QUEUE = 'faults';

/** A backend made ready for one trial, empty and with names of its own. */
export interface FaultTarget {
  readonly name: TargetName;
  readonly rules: DeliveryRules;
  readonly leaseSeconds: number;
  /**
   * What a process of that role reads to make its connection: FAULT_CONNECTION, the JSON of
   * `{ driver: 'sql' | 'redis' | 'rabbitmq' | 'sqs', options }` with the options of that backend's function, the lease
   * among them.
   */
  environment(role: Role): Readonly<Record<string, string>>;
  /** null unless the cell needs one. */
  readonly server: FaultServer | null;
  /** null unless the cell needs one. */
  readonly proxies: Readonly<Record<Role, FaultProxy>> | null;
  /** Opens the queue past every proxy. Each call a connection of its own; on memory always the same backend. */
  open(): Promise<DirectQueue>;
  leftovers(): Promise<Leftovers>;
  /** Removes everything that it made, the server included. */
  close(): Promise<void>;
}

/** What a cell needs of its target; what it does not need the target need not start. */
export interface TargetNeeds {
  readonly server: boolean;
  readonly proxy: boolean;
}

export interface OpenTargetOptions {
  readonly needs: TargetNeeds;
  readonly leaseSeconds: number;
}

/** A backend as the matrix knows it: what holds of it, and how to make one ready. */
export interface TargetKind {
  readonly name: TargetName;
  readonly rules: DeliveryRules;
  /** Creates what it needs (database, prefix, virtual host, queues, migrations), named so that it contains "test". */
  open(options: OpenTargetOptions): Promise<FaultTarget>;
}
