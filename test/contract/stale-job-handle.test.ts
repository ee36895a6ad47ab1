import { expect, test } from 'vitest';
import { StaleJobHandleException } from '../../lib/contract/index.js';

test('a stale delivery may have lost its lease, or its channel where there are no leases', () => {
  const { message } = new StaleJobHandleException('ack', 'mail', 'abc');
  expect(message).toContain('Expected ack() to name the current delivery of job abc on queue "mail"');
  expect(message).toContain('its lease ran out');
  expect(message).toContain('or, where there are no leases, its channel was closed');
  expect(message).toContain('Do not repeat it');
});
