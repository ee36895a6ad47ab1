/** What every event says about the delivery that it is about. */
export interface JobEventFields {
  readonly id: string;
  /** The job's wire name. */
  readonly class: string;
  readonly queue: string;
  readonly connection: string;
  /** Which attempt the delivery was, from 1. */
  readonly attempts: number;
  readonly worker: string;
}

/** The common part of all events about one delivery. */
export abstract class JobEvent implements JobEventFields {
  readonly id: string;
  readonly class: string;
  readonly queue: string;
  readonly connection: string;
  readonly attempts: number;
  readonly worker: string;

  constructor(fields: JobEventFields) {
    this.id = fields.id;
    this.class = fields.class;
    this.queue = fields.queue;
    this.connection = fields.connection;
    this.attempts = fields.attempts;
    this.worker = fields.worker;
  }
}
