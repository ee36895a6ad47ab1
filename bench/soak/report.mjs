import { round, count } from './judge.mjs';
import { trendOf } from './trend.mjs';

const CODES = { holds: 0, fails: 1, 'cannot tell': 2 };

/** The worst of all checks: a failure before what cannot be told. */
export function verdictOf(checks) {
  const verdicts = checks.map(({ verdict }) => verdict);
  if (verdicts.includes('fails')) return 'fails';
  return verdicts.includes('cannot tell') ? 'cannot tell' : 'holds';
}

export function codeOf(results) {
  return CODES[verdictOf(results.flatMap(({ checks }) => checks))];
}

/** What docs/reliability.md says of these runs. */
export function textOf(results) {
  return results.map(textOfRun).join('\n\n');
}

function textOfRun(result) {
  const { version, minutes, jobs, checks, figures, verdict } = result;
  const lines = [
    `### ${version}: ${count(jobs.handled)} jobs in ${round(minutes, 1)} minutes`,
    '',
    `${count(jobs.handled / minutes / 60)} jobs a second: ${mixOf(result)}.`,
    `Samples after the warm-up: ${figures.samples}. Verdict: **${verdict}**.`,
    '',
    '| check | verdict | found |',
    '| --- | --- | --- |',
    ...checks.map(({ check, verdict: each, found }) => `| ${check} | ${each} | ${found} |`),
    '',
    '| process | heap after collection | resident | lag of the event loop, p99 / longest |',
    '| --- | --- | --- | --- |',
    ...['pusher', 'worker'].map((name) => processLine(name, figures[name])),
  ];
  return lines.join('\n');
}

function mixOf({ events, jobs, retried }) {
  return [
    `${count(events.JobReleased ?? 0)} releases`,
    `${count(events.JobDeferred ?? 0)} deferrals`,
    `${count(events.JobFailedPermanently ?? 0)} final failures, ${count(retried)} retried from the failed store`,
    `${count(jobs.refused)} pushes refused by a unique key`,
  ].join(', ');
}

function processLine(name, { heapBytes, rssBytes, lagP99Ms, lagMaxMs }) {
  const range = ([least, most]) => `${round(least / 1e6, 1)}–${round(most / 1e6, 1)} MB`;
  return `| ${name} | ${range(heapBytes)} | ${range(rssBytes)} | ${round(lagP99Ms, 1)} / ${round(lagMaxMs, 0)} ms |`;
}

/** What was sampled, in figures: the least and the most, the median p99, and the slope of the memory beside the heap. */
export function figuresOf(samples) {
  return {
    samples: samples.length,
    pusher: figuresOfProcess(samples, 'pusher'),
    worker: figuresOfProcess(samples, 'worker'),
    storedItems: rangeOf(samples.map(({ stored }) => stored.items)),
    storedBytes: rangeOf(samples.map(({ stored }) => stored.bytes)),
  };
}

function figuresOfProcess(samples, name) {
  const all = (field) => samples.map((sample) => sample[name][field]);
  const p99s = all('lagP99Ms').toSorted((a, b) => a - b);
  const { slope, within } = trendOf(samples.map((sample) => [sample.handled, sample[name].rssBytes]));
  return {
    heapBytes: rangeOf(all('heapBytes')),
    rssBytes: rangeOf(all('rssBytes')),
    rssBytesAJob: [slope, within],
    sockets: rangeOf(all('sockets')),
    lagP99Ms: p99s[Math.floor(p99s.length / 2)] ?? Number.NaN,
    lagMaxMs: Math.max(...all('lagMaxMs')),
  };
}

function rangeOf(values) {
  return [Math.min(...values), Math.max(...values)];
}
