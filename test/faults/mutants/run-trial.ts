// A process of its own, started from the good copy of the library in the folder of a broken one: runs a fault trial whose
// workers and pusher are those of that folder, and sends what the judge found.
import 'reflect-metadata';
import type { FaultCell } from '../cell.js';
import type { TargetName } from '../target.js';
import { TARGETS } from '../targets/index.js';
import { runTrial } from '../trial.js';
import { type Finding, ruleTitle } from './finding.js';

const [cellFile = '', target = '', seed = '1', ...rules] = process.argv.slice(2);
const [cell] = Object.values((await import(`../cells/${cellFile}.js`)) as Record<string, FaultCell>);
if (cell === undefined) throw new Error(`Expected a cell in test/faults/cells/${cellFile}.ts, came none.`);
const { verdict } = await runTrial({ cell, target: TARGETS[target as TargetName], seed: Number(seed) });
const { violations } = verdict;

/** Rules that nothing may break where the library is the good one, else what a trial has to be at all. */
function controls(): Finding[] {
  const bad = violations.filter(({ promise }) => rules.length === 0 || promise === 'trial');
  const message = bad.map(({ rule, text }) => `${rule}: ${text}`).join('; ');
  return [
    { title: ruleTitle('trial', cellFile, target), verdict: bad.length === 0 ? 'passes' : 'breaks', message },
  ];
}

const findings = rules.map((rule): Finding => {
  const title = ruleTitle(rule, cellFile, target);
  const [first] = violations.filter((violation) => violation.rule === rule);
  if (first === undefined) return { title, verdict: 'passes', message: '' };
  return { title, verdict: 'objects', message: `${first.promise}: ${first.text}` };
});
process.send?.([...controls(), ...findings], () => process.exit());
