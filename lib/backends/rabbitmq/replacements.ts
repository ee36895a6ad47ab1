import { randomBytes } from 'node:crypto';
import type { Settlement } from '../../contract/index.js';
import type { RabbitMqReceipt } from './rabbitmq-receipt.js';
import type { RabbitMqSettings } from './rabbitmq.options.js';
import { receivedContent } from './received-content.js';
import type { MessageToSend } from './send-message.js';
import { messageOf } from './store-jobs.js';
import { deadHeaders, levelOf, returnedHeaders } from './topology/index.js';

const ID = /^[0-9a-f]{32}$/;

/** What has to be stored before the delivery may be acknowledged. */
export function replacementsOf(
  { topology, failedJobs }: Pick<RabbitMqSettings, 'topology' | 'failedJobs'>,
  { queue, message }: RabbitMqReceipt,
  settlement: Settlement,
): readonly MessageToSend[] {
  const { queueType, maxPriority } = topology;
  const { content, contentType, headers } = receivedContent(message);
  const same = { queue, content, contentType };
  switch (settlement.operation) {
    case 'ack':
      return settlement.followUps.map((job) => messageOf(job, maxPriority));
    case 'fail': {
      if (!failedJobs) return [];
      const id = String(headers?.['id']);
      const death = {
        queue,
        id: ID.test(id) ? id : randomBytes(16).toString('hex'),
        failure: settlement.failure,
        failedAt: new Date(),
      };
      const dead = deadHeaders(headers, queueType, death);
      return [{ ...same, to: 'dead', delaySeconds: 0, level: undefined, headers: dead }];
    }
    case 'extend':
      throw new TypeError('extend(): expected no such call, since a delivery of RabbitMQ is no lease.');
    default: {
      const { rank, ...changes } = settlement.changes;
      return [
        {
          ...same,
          to: 'work',
          delaySeconds: settlement.delaySeconds,
          level: levelOf({ rank, priority: headers?.['priority'] }, maxPriority),
          headers: returnedHeaders(headers, queueType, changes),
        },
      ];
    }
  }
}
