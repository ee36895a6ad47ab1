import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { escapeBeyondBmp } from './sqs-emulated-text.js';
import type { SqsEmulator } from './sqs-emulator.js';

/** A request of SQS' JSON protocol. */
export interface SqsCall {
  /** "SendMessageBatch". */
  readonly name: string;
  readonly input: SqsInput;
}

export interface SqsInput {
  readonly QueueUrl?: string;
  readonly QueueName?: string;
  readonly Entries?: readonly { readonly Id: string; readonly [field: string]: unknown }[];
  readonly [field: string]: unknown;
}

export interface SqsAnswer {
  readonly status: number;
  readonly body: { readonly [field: string]: unknown };
}

/** What becomes of a call: an answer, or `cut` for a connection that ends without one. */
export type SqsRule = (
  call: SqsCall,
  pass: (input?: SqsInput) => Promise<SqsAnswer>,
) => Promise<SqsAnswer | 'cut'>;

interface Armed {
  readonly names: readonly string[];
  readonly rule: SqsRule;
}

const DENIED: SqsRule = async () => ({ status: 403, body: { __type: 'com.amazonaws.sqs#AccessDenied' } });

/** The calls by which jobs are stored or settled. */
export const CHANGES = ['SendMessageBatch', 'DeleteMessageBatch', 'ChangeMessageVisibilityBatch'];

/**
 * What stands between a client of SQS and the emulator: it remembers the calls, and makes what the emulator does not:
 * lost requests and answers, batches that fail in part, errors of the service.
 */
export class SqsGateway {
  /** In the order in which they came. */
  readonly calls: SqsCall[] = [];
  /** Whether a call is allowed; SQS answers the others that access is denied. */
  guard: (call: SqsCall) => boolean = () => true;
  #armed: Armed[] = [];
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(
    private readonly emulator: SqsEmulator,
    /** A queue that is looked up is created first. */
    private readonly createsQueues: boolean,
  ) {
    this.#server = createServer((incoming, outgoing) => void this.#serve(incoming, outgoing));
  }

  static async open(emulator: SqsEmulator, { createsQueues = false } = {}): Promise<SqsGateway> {
    const gateway = new SqsGateway(emulator, createsQueues);
    gateway.#server.listen(0, '127.0.0.1');
    await once(gateway.#server, 'listening');
    return gateway;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next call of one of these names goes by the rule. */
  next(names: readonly string[], rule: SqsRule): void {
    this.#armed.push({ names, rule });
  }

  /** Names of the calls since then, for a look at what is asked and how often. */
  namesSince(from = 0): readonly string[] {
    return this.calls.slice(from).map(({ name }) => name);
  }

  /** The calls of a name, in order. */
  callsOf(name: string): readonly SqsCall[] {
    return this.calls.filter((call) => call.name === name);
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
    this.#agent.destroy();
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const name = String(incoming.headers['x-amz-target']).replace('AmazonSQS.', '');
    const call = { name, input: JSON.parse(Buffer.concat(chunks).toString()) as SqsInput };
    this.calls.push(call);
    const pass = (input = call.input): Promise<SqsAnswer> => this.#forward(incoming, name, input);
    const answer = await (this.guard(call) ? this.#ruleFor(name) : DENIED)(call, pass);
    if (answer === 'cut') return void outgoing.destroy();
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    outgoing.writeHead(answer.status, headers).end(JSON.stringify(answer.body));
  }

  #ruleFor(name: string): SqsRule {
    const armed = this.#armed.find(({ names }) => names.includes(name));
    if (armed === undefined) return (_call, pass) => pass();
    this.#armed = this.#armed.filter((other) => other !== armed);
    return armed.rule;
  }

  async #forward({ headers }: IncomingMessage, name: string, input: SqsInput): Promise<SqsAnswer> {
    if (this.createsQueues && name === 'GetQueueUrl')
      await this.emulator.createQueue(String(input.QueueName));
    const body = JSON.stringify(escapeBeyondBmp(input));
    const { 'content-length': _length, host: _host, ...others } = headers;
    const forwarded = request({
      agent: this.#agent,
      port: this.emulator.port,
      method: 'POST',
      path: '/',
      headers: { ...others, 'content-length': Buffer.byteLength(body) },
    });
    forwarded.end(body);
    const [response] = (await once(forwarded, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const answer = JSON.parse(Buffer.concat(chunks).toString()) as SqsAnswer['body'];
    return { status: response.statusCode ?? 500, body: withDigests(answer, input) };
  }
}

/** The digest of what was sent, not of what the emulator was given. */
function withDigests(answer: SqsAnswer['body'], { Entries = [] }: SqsInput): SqsAnswer['body'] {
  const { Successful } = answer as { Successful?: { Id: string }[] };
  if (Successful === undefined) return answer;
  const bodies = new Map(Entries.map(({ Id, MessageBody }) => [Id, MessageBody]));
  return {
    ...answer,
    Successful: Successful.map((entry) => {
      const sent = bodies.get(entry.Id);
      if (typeof sent !== 'string') return entry;
      return { ...entry, MD5OfMessageBody: createHash('md5').update(sent).digest('hex') };
    }),
  };
}
