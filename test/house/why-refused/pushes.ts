import { getQueueToken, Job, KinetisQueueModule, memory, Queue, Sensitive } from '@kinetis/nestjs-queue';
import { rabbitmq } from '@kinetis/nestjs-queue/rabbitmq';
import { sqs } from '@kinetis/nestjs-queue/sqs';
import { boot, type Examples } from './example.js';

@Job({ queue: 'mail' })
class SendMail {
  constructor(readonly address: string) {}

  handle(): void {}
}

@Job({ connection: 'ledger' })
class BookInvoice {
  constructor(readonly invoice: number) {}

  handle(): void {}
}

@Job()
class ImportOrders {
  constructor(readonly orders: readonly unknown[]) {}

  handle(): void {}
}

@Job()
class Login {
  constructor(@Sensitive() readonly token: unknown) {}

  handle(): void {}
}

class Undecorated {
  handle(): void {}
}

/** Neither server is asked: what they lack is refused before anything is sent. */
const backends = {
  rabbitmq: rabbitmq(),
  quorum: rabbitmq({ queueType: 'quorum' }),
  sqs: sqs({ region: 'eu-central-1' }),
  memory: memory(),
};

function pushedTo(
  driver: keyof typeof backends,
  push: (queue: Queue, ledger: Queue) => unknown,
): Promise<void> {
  const connections = { default: backends[driver], ledger: memory(), other: memory() };
  return boot({ imports: [KinetisQueueModule.forRoot({ connections })] }, (app) =>
    push(app.get(Queue), app.get<Queue>(getQueueToken('other'))),
  );
}

/** Refused by a push. */
export const pushes: Examples = {
  'class-instance': () =>
    pushedTo('memory', (queue) => {
      const order = { customer: new Map([['name', 'Ada']]) };
      // shown: class-instance
      return queue.push(new ImportOrders([order])); // { customer: new Map(…) }
      // end
    }),
  undefined: () =>
    pushedTo('memory', (queue) => {
      const customer: { address?: string } = {};
      // shown: undefined
      return queue.push(new SendMail(customer.address as string)); // which the customer does not have
      // end
    }),
  'wrong-type': () =>
    pushedTo('memory', (queue) => {
      const body = { address: 7 as unknown as string };
      // shown: wrong-type
      return queue.push(new SendMail(body.address)); // a number, from JSON that nobody checked
      // end
    }),
  sensitive: () =>
    pushedTo(
      'memory',
      (queue) =>
        // shown: sensitive
        queue.push(new Login(Buffer.from('t0ken'))),
      // end
    ),
  undecorated: () =>
    pushedTo(
      'memory',
      (queue) =>
        // shown: undecorated
        queue.push(new Undecorated()),
      // end
    ),
  'too-large': () =>
    pushedTo('memory', (queue) => {
      const everything = 'x'.repeat(2 ** 25);
      // shown: too-large
      return queue.push(new ImportOrders([everything]));
      // end
    }),
  'too-large-sqs': () =>
    pushedTo('sqs', (queue) => {
      const everything = 'x'.repeat(2 ** 21);
      // shown: too-large-sqs
      return queue.push(new ImportOrders([everything])); // on SQS
      // end
    }),
  'option-unknown': () =>
    pushedTo(
      'memory',
      (queue) =>
        // shown: option-unknown
        // @ts-expect-error The compiler says it too.
        queue.push(new SendMail('ada@example.com'), { delay: 30 }),
      // end
    ),
  'queue-name': () =>
    pushedTo(
      'memory',
      (queue) =>
        // shown: queue-name
        queue.push(new SendMail('ada@example.com'), { queue: 'mail.eu' }),
      // end
    ),
  'priority-range': () =>
    pushedTo(
      'memory',
      (queue) =>
        // shown: priority-range
        queue.push(new SendMail('ada@example.com'), { priority: 1_000 }),
      // end
    ),
  'metadata-size': () =>
    pushedTo('memory', (queue) => {
      const page = 'x'.repeat(5_000);
      // shown: metadata-size
      return queue.push(new SendMail('ada@example.com'), { metadata: { page } });
      // end
    }),
  'wrong-connection': () =>
    pushedTo(
      'memory',
      (_queue, other) =>
        // shown: wrong-connection
        other.push(new BookInvoice(7)), // a job of @Job({ connection: 'ledger' }), to @InjectQueue('other')
      // end
    ),
  'two-connections': () =>
    pushedTo(
      'memory',
      (queue) =>
        // shown: two-connections
        queue.chain([new SendMail('ada@example.com'), new BookInvoice(7)]),
      // end
    ),
  'chain-unique': () =>
    pushedTo(
      'memory',
      (queue) =>
        // shown: chain-unique
        queue.chain([new SendMail('ada@example.com'), { job: new ImportOrders([]), uniqueKey: 'orders' }]),
      // end
    ),
  'push-many': () =>
    pushedTo('memory', (queue) => {
      const addresses = Array.from({ length: 10_001 }, (_, n) => `${n}@example.com`);
      // shown: push-many
      return queue.pushMany(addresses.map((address) => new SendMail(address)));
      // end
    }),
  'unique-lacks': () =>
    pushedTo(
      'rabbitmq',
      (queue) =>
        // shown: unique-lacks
        queue.push(new SendMail('ada@example.com'), { uniqueKey: 'ada' }), // on RabbitMQ
      // end
    ),
  'priority-lacks': () =>
    pushedTo(
      'quorum',
      (queue) =>
        // shown: priority-lacks
        queue.push(new SendMail('ada@example.com'), { priority: 10 }), // on quorum queues of RabbitMQ
      // end
    ),
  'delay-lacks': () =>
    pushedTo(
      'sqs',
      (queue) =>
        // shown: delay-lacks
        queue.push(new SendMail('ada@example.com'), { delaySeconds: 3_600 }), // on SQS
      // end
    ),
  'transaction-lacks': () =>
    pushedTo('memory', (queue) => {
      const em = {};
      // shown: transaction-lacks
      return queue.push(new SendMail('ada@example.com'), { transaction: em }); // elsewhere than on sql()
      // end
    }),
};
