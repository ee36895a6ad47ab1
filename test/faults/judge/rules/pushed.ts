import type { Rule } from './rule.js';

/** Every job was pushed until a push was accepted, and each try was answered before the next. */
export const pushed: Rule = ({ facts, pushes }) => {
  const numbers = Array.from({ length: facts.jobs }, (_, job) => job);
  return numbers
    .filter((job) => pushes.get(job)?.some(({ kind }) => kind === 'push-ok') !== true)
    .map((job) => ({
      rule: 'not-accepted',
      promise: 'trial',
      text: `job ${job} of ${facts.jobs} was ${pushes.has(job) ? 'tried and never accepted' : 'never tried'}`,
      lines: pushes.get(job) ?? [],
    }));
};
