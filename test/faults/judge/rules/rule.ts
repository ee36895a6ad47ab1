import type { Case } from '../case.js';
import type { Violation } from '../verdict.js';

/** One thing that must hold of every trial; answers what shows that it did not. */
export type Rule = (found: Case) => readonly Violation[];
