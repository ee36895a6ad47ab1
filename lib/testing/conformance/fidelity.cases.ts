import assert from 'node:assert/strict';
import type { WireValue } from '../../contract/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { Parcel } from './jobs.js';
import type { Session } from './session.js';

const fidelityCase = concern('fidelity');

function nested(levels: number): WireValue {
  let value: WireValue = 'core';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { in: value };
  return value;
}

/** An object with an own key that assignment would take for its prototype. */
const ownProto: WireValue = JSON.parse('{"__proto__":{"admin":true},"constructor":1,"toString":null}');

const values: readonly (readonly [what: string, value: WireValue])[] = [
  ['null', null],
  ['true and false', [true, false]],
  ['an empty string', ''],
  ['an empty array', []],
  ['an empty object', {}],
  ['empty arrays and objects inside each other', [[], {}, [[]], [{}], { a: [], b: {}, c: [{ d: [] }] }]],
  [
    'text that looks like other types',
    ['null', 'true', '0', '-0', '[]', '{}', '{"a":1}', 'NaN', 'undefined'],
  ],
  ['text that looks like a time', ['2026-01-01', '2026-01-01T00:00:00.000Z', '12:00']],
  ['text that looks like encoded bytes', ['base64:AAAA', 'base64:', '\\x00ff', '0x00', 'AAAA==']],
  ['emoji and characters above the basic plane', '\u{1f600}\u{1f469}\u200d\u{1f680} \u{20bb7} \u{10ffff}'],
  ['scripts of many directions', 'Grüße, Привет, 你好, こんにちは, مرحبا, שלום, हिन्दी, \u202eabc'],
  ['combining characters in both forms', ['\u00e9', 'e\u0301', '\u1e9b\u0323']],
  ['a NUL', ['\0', 'a\0b', '\0\0\0']],
  ['control characters', Array.from({ length: 32 }, (_, code) => String.fromCodePoint(code)).join('')],
  ['line ends and tabs', 'a\nb\r\nc\rd\te\u2028f\u2029g'],
  ['spaces at both ends', ['  a  ', ' ', '\u00a0', '\ufeffbom']],
  ['quotes', ["'", '"', '`', "''", '""', "\\'", '\\"', '‘’“”']],
  ['backslashes', ['\\', '\\\\', '\\n', '\\u0000', 'C:\\temp\\', '\\0']],
  ['SQL', ["'; drop table kinetis_queue_jobs; --", '/* */', '" or 1=1', "E'\\''", '$$x$$', '%_\\%']],
  ['placeholders', ['?', '??', ':name', '::text', '$1', '$$1', '@p1', '%s', '%%', '{0}', '${x}', '{{x}}']],
  ['delimiters of protocols', ['|', ':', ';', ',', '\u001e\u001f', '*3\r\n$3\r\n', '\u0001']],
  ['markup', '<script>&amp;</script>&#0;]]>'],
  ['integers at the edge', [0, 1, -1, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, -(2 ** 53) + 1]],
  ['numbers of 17 digits', [0.1, 0.1 + 0.2, 1 / 3, 2 ** 60 / 93, Math.PI * 1e-7, 2 ** 53 + 2, Math.E * 1e15]],
  [
    'the largest and the smallest numbers',
    [1.7976931348623157e308, -1.7976931348623157e308, 5e-324, 1e21, 1e-7],
  ],
  ['a deep value', nested(30)],
  ['own keys that name prototypes', ownProto],
  ['strange keys', { '': 1, ' ': 2, '0': 3, 'a.b': 4, 'a\0b': 5, '\u{1f600}': 6, $ref: 7, "'": 8, '?': 9 }],
  ['keys in their order', { z: 1, a: 2, m: { z: 1, a: 2 } }],
  ['a thousand keys', Object.fromEntries(Array.from({ length: 1_000 }, (_, key) => [`key ${key}`, key]))],
  ['a long key', { ['k'.repeat(10_000)]: 1 }],
  ['ten thousand numbers', Array.from({ length: 10_000 }, (_, index) => index / 7)],
  ['200 KB of text', 'lorem ipsum '.repeat(17_500)],
  ['200 KB of characters that need escapes', '"\\\n\0\u{1f600}é'.repeat(20_000)],
];

/** Out and back again, and once more after a transition of each kind. */
async function comesBackEqual(session: Session, value: WireValue): Promise<void> {
  await session.push(new Parcel(value));
  const first = await session.take();
  expectSame(first.args['contents'], value, 'at the first delivery');
  await session.connection.settler.release(first, { delaySeconds: session.delaySeconds });
  await session.pass(session.delaySeconds + session.slackSeconds);
  const second = await session.take();
  expectSame(second.args['contents'], value, 'after a release');
  expectSame(JSON.stringify(second.args), JSON.stringify(first.args), 'and in the same order');
  await session.connection.settler.ack(second);
}

const metadata: readonly (readonly [what: string, entries: Readonly<Record<string, string>>])[] = [
  ['none', {}],
  ['strange text', { a: '\0 \' " ` ? :name $1 \\ \u{1f600}', b: '', c: 'x\r\ny' }],
  ['strange keys', { '': 'a', '\u{1f600}': 'b', "'; --": 'c', constructor: 'd', 'a\0b': 'e' }],
  ['4,096 bytes', { k: 'é'.repeat(2_047) + 'x' }],
];

const raw: readonly ConformanceCase[] = [
  fidelityCase('the body is the very text that was pushed', async (session) => {
    const template = await pushedTemplate(session);
    // Spaces, an escape, a number that a rewrite would change: an immutable body keeps them.
    const body = `${template.body.slice(0, -1)} , "unknown":{"n":1.0,"e":"\\u00e9","big":12345678901234567890} }`;
    await session.backend.store([{ ...template, body }]);
    expectSame((await session.item()).body, body, 'the body as it is stored');
  }),
  fidelityCase('fields that this code does not know survive every transition', async (session) => {
    const template = await pushedTemplate(session);
    const body = `${template.body.slice(0, -1)},"future":{"field":[1,2,{}]}}`;
    await session.backend.store([{ ...template, body }]);
    const { settler } = session.connection;
    await settler.release(await session.take());
    await settler.defer(await session.take());
    await settler.release(await session.take(), { delaySeconds: session.delaySeconds });
    await session.pass(session.delaySeconds + session.slackSeconds);
    const item = await session.item();
    expectSame(item.body, body, 'the body after every transition');
  }),
  fidelityCase(
    'fields that this code does not know survive a lost lease',
    async (session) => {
      const template = await pushedTemplate(session);
      const body = `${template.body.slice(0, -1)},"future":true}`;
      await session.backend.store([{ ...template, body }]);
      await session.take();
      await session.expireLease();
      const item = await session.item();
      expectSame(item.body, body, 'the body after a lost lease');
    },
    { extend: true },
  ),
];

async function pushedTemplate(session: Session) {
  const id = await session.push('template');
  const item = await session.item();
  await session.backend.settle([{ operation: 'ack', receipt: item.receipt, followUps: [] }]);
  const header = { v: 1, serial: 0, attempts: 0, deferrals: 0, graceRounds: 0, leaseSeconds: null };
  return {
    id,
    queue: session.queue,
    header: { ...header, priority: 0, rank: 0, uniqueKey: null },
    body: String(item.body),
    delaySeconds: 0,
  };
}

export const fidelityCases: readonly ConformanceCase[] = [
  ...values.map(([what, value]) =>
    fidelityCase(`${what} comes back equal`, (session) => comesBackEqual(session, value)),
  ),
  ...metadata.map(([what, entries]) =>
    fidelityCase(`metadata with ${what} comes back equal`, async (session) => {
      await session.push('a', { metadata: entries });
      const job = await session.take();
      expectSame({ ...job.metadata }, entries, 'the metadata of the delivery');
    }),
  ),
  fidelityCase('-0 comes back as 0', async (session) => {
    await session.push(new Parcel(-0));
    assert.ok(Object.is((await session.take()).args['contents'], 0), '-0 is stored as 0');
  }),
  ...raw,
];
