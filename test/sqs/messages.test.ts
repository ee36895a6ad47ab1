import { describe, expect, it } from 'vitest';
import { bytesOf, escapeRefused, messageOf, number, text } from '../../lib/backends/sqs/message.js';
import { encodeBody, newHeader } from '../../lib/contract/index.js';

const header = newHeader({ leaseSeconds: null, priority: 0, uniqueKey: null });

function bodyOf(metadata: Readonly<Record<string, string>>, maxAttempts: number | null = null): string {
  const id = '0'.repeat(32);
  const pushedAt = '2026-01-01T00:00:00.000Z';
  return encodeBody({ id, pushedAt, class: 'test.job', args: {}, maxAttempts, metadata, chain: [] });
}

function job(body: string) {
  return { id: '0'.repeat(32), queue: 'mail', header, body, delaySeconds: 0 };
}

/** Characters as SQS takes them, by code point. */
function isTaken(codePoint: number): boolean {
  return (
    [0x9, 0xa, 0xd].includes(codePoint) ||
    (codePoint >= 0x20 && codePoint <= 0xd7ff) ||
    (codePoint >= 0xe000 && codePoint <= 0xfffd) ||
    codePoint >= 0x10000
  );
}

describe('a message', () => {
  it('has none of the characters that SQS refuses, and is the same JSON value', () => {
    for (let first = 0; first < 0x11000; first += 0x100) {
      const points = Array.from({ length: 0x100 }, (_, index) => first + index);
      const value = String.fromCodePoint(...points.filter((point) => point < 0xd800 || point > 0xdfff));
      const escaped = escapeRefused(JSON.stringify(value));
      expect([...escaped].filter((character) => !isTaken(character.codePointAt(0) ?? 0))).toEqual([]);
      expect(JSON.parse(escaped)).toBe(value);
    }
  });

  it('leaves alone what SQS takes, such as an emoji', () => {
    const json = JSON.stringify('tab \t newline \n βÅ® 😀 \u{10FFFF}');
    expect(escapeRefused(json)).toBe(json);
  });

  it('escapes halves of characters too', () => {
    expect(escapeRefused('"\uD83D"')).toBe('"\\ud83d"');
  });

  it('is counted as SQS does: UTF-8 of the body, and of names, types and values of its attributes', () => {
    expect(bytesOf('βÅ®', {})).toBe(6);
    expect(bytesOf('😀', {})).toBe(4);
    expect(bytesOf('', { é: text('ß') })).toBe(2 + 'String'.length + 2);
    expect(bytesOf('ab', { n: number(10) })).toBe(2 + 1 + 'Number'.length + 2);
    expect(bytesOf('', { b: { DataType: 'Binary', BinaryValue: new Uint8Array(3) } })).toBe(1 + 6 + 3);
  });

  it('shows attempts and metadata to other readers in two attributes, however much there is', () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`key ${index}`, `\uFFFE ${index}`]),
    );
    const { attributes, body, bytes } = messageOf(job(bodyOf(metadata, 7)));
    expect(Object.keys(attributes).sort()).toEqual(['maxAttempts', 'metadata', 'v']);
    expect(attributes['maxAttempts']).toEqual({ DataType: 'Number', StringValue: '7' });
    expect(JSON.parse(attributes['metadata']?.StringValue ?? '')).toEqual(metadata);
    expect(attributes['metadata']?.StringValue).not.toContain('\uFFFE');
    expect(bytes).toBe(bytesOf(body, attributes));
  });

  it('has no attribute for what is not there', () => {
    expect(Object.keys(messageOf(job(bodyOf({}))).attributes)).toEqual(['v']);
  });

  it('carries a body that it cannot read', () => {
    expect(messageOf(job('[7')).body).toBe('[7');
  });
});
