import { expect, it } from 'vitest';
import { RABBITMQ_OPTIONS } from '../../lib/module/configuration/rabbitmq-options.js';
import { readOption } from '../../lib/module/configuration/check-option.js';
import { rabbitmq } from '../../lib/rabbitmq.js';

const HINT = /with \/ \? # % in user and password percent-encoded/;

it.each(['%', '/', '?', '#'])('a lone %s in a password is met by a hint, and not shown', (character) => {
  const call = (): unknown => rabbitmq({ url: `amqp://ada:hunter2${character}x@host:5672/shop` });
  expect(call).toThrow(HINT);
  expect(call).not.toThrow(/hunter2/);
});

it('the variable gives the same hint', () => {
  const read = (): unknown =>
    readOption(RABBITMQ_OPTIONS.url, 'QUEUE_RABBITMQ_URL', 'amqp://ada:hunter2/x@host');
  expect(read).toThrow(HINT);
  expect(read).not.toThrow(/hunter2/);
});

it.each(['%25', '%2F', '%3F', '%23'])('%s in a password is taken', (encoded) => {
  expect(() => rabbitmq({ url: `amqp://ada:hunter2${encoded}x@host:5672/shop` })).not.toThrow();
});
