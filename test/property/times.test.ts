import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { QueueException } from '../../lib/contract/index.js';
import { Arg, encodeArguments, Handle, Job, jobDefinition, rebuildJob } from '../../lib/jobs/index.js';
import { LONG } from '../support/long.js';
import { repeated } from './repeated.js';

@Job({ name: 'property.at' })
class At {
  constructor(@Arg(Date) readonly value: Date) {}
  @Handle() handle(): void {}
}

const MANY = repeated({ numRuns: LONG ? 20_000 : 1_000 });
const definition = jobDefinition(At);
const digits = (least: number, most: number, width: number) =>
  fc.integer({ min: least, max: most }).map((value) => String(value).padStart(width, '0'));
const fraction = fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,9}$/));
/** Texts of the shape of RFC 3339, some of a day or an hour that does not exist. */
const shaped = fc
  .tuple(
    digits(0, 9_999, 4),
    digits(0, 13, 2),
    digits(0, 32, 2),
    digits(0, 25, 2),
    digits(0, 61, 2),
    digits(0, 61, 2),
    fraction,
  )
  .map(
    ([year, month, day, hour, minute, second, rest]) =>
      `${year}-${month}-${day}T${hour}:${minute}:${second}${rest}Z`,
  );

function read(text: unknown): Date | null {
  try {
    return Reflect.get(rebuildJob(definition, { value: text } as never), 'value') as Date;
  } catch (error) {
    if (error instanceof QueueException) return null;
    throw error;
  }
}

/** Whether there is such a time, counted by hand. */
function exists(text: string): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = text.split(/\D/).map(Number);
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const longest = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= longest && hour <= 23 && minute <= 59 && second <= 59;
}

it('a time as RFC 3339 writes it is read to the millisecond, and one that does not exist is refused', () => {
  let existing = 0;
  fc.assert(
    fc.property(shaped, (text) => {
      const date = read(text);
      expect(date !== null).toBe(exists(text));
      if (date === null) return;
      existing += 1;
      expect(date.toISOString().slice(0, 19)).toBe(text.slice(0, 19));
      expect(date.getUTCMilliseconds()).toBe(Number(`${text.slice(20, -1)}000`.slice(0, 3)));
    }),
    MANY,
  );
  expect(existing).toBeGreaterThan(100);
});

it('what is read is written as the same time again', () => {
  fc.assert(
    fc.property(shaped.filter(exists), (text) => {
      const { value } = encodeArguments(definition, new At(read(text) as Date));
      expect(read(value)).toEqual(read(text));
    }),
    MANY,
  );
});

it('anything else is refused', () => {
  const bent = fc
    .tuple(
      shaped.filter(exists),
      fc.nat({ max: 30 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }),
    )
    .map(([text, place, piece]) => text.slice(0, place) + piece + text.slice(place + 1))
    .filter((text) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(text));
  fc.assert(
    fc.property(
      fc.oneof(
        bent,
        fc.jsonValue().filter((value) => value !== null),
      ),
      (value) => read(value) === null,
    ),
    MANY,
  );
});
