import { types } from 'node:util';
import type { WireValue } from '../../contract/index.js';
import { kindOf } from '../wire/kind-of.js';
import { Refusal } from '../wire/refusal.js';
import type { Codec } from './codec.js';

/** RFC 3339 in UTC. What is written always has six digits of a second; a Date keeps three. */
const RFC3339_UTC = /^(\d{4}-\d\d-(\d\d)T\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/;

/** For parameters that are a Date, by emitted metadata or by `@Arg(Date)`. null passes, for `Date | null`. */
export const dateCodec: Codec = {
  encode(value: unknown): WireValue | Refusal {
    if (value === null) return null;
    if (typeof value !== 'object') return misfit(value);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Date.prototype) return write(value);
    if (!types.isDate(value)) return misfit(value);
    // Date of another realm, or the real one while a test's clock stands in for it.
    if (Object.hasOwn(prototype as object, 'toISOString')) return write(value);
    return new Refusal('an instance of a subclass of Date', 'Pass a Date, or give the parameter a codec.');
  },
  decode(value: WireValue): unknown {
    if (value === null) return null;
    if (typeof value !== 'string') {
      return new Refusal(`${kindOf(value)} where the text of a Date is expected`, null, 'argument-type');
    }
    return read(value);
  },
};

function misfit(value: unknown): Refusal {
  return new Refusal(`${kindOf(value)} where a Date is expected`, null, 'argument-type');
}

function write(date: object): string | Refusal {
  const time = Date.prototype.getTime.call(date);
  if (Number.isNaN(time)) return new Refusal('an invalid Date');
  const text = Date.prototype.toISOString.call(date);
  if (text.length !== 24) return new Refusal('a Date outside the years 0 to 9999');
  return `${text.slice(0, 23)}000Z`;
}

function read(text: string): Date | Refusal {
  const parts = RFC3339_UTC.exec(text);
  if (parts !== null) {
    const date = new Date(`${parts[1]}.${`${parts[3] ?? ''}000`.slice(0, 3)}Z`);
    // The 30th of February parses, as a day in March, and 24:00 as the next day.
    if (date.getUTCDate() === Number(parts[2])) return date;
  }
  return new Refusal('text that is no time in RFC 3339, UTC');
}
