/** What one case or test said of a library. */
export interface Finding {
  readonly title: string;
  /**
   * `objects`: it found a promise broken. `breaks`: it failed in a way that says nothing of a promise, such as by a
   * syntax error: then it is the mutant that is no good.
   */
  readonly verdict: 'passes' | 'objects' | 'breaks';
  readonly message: string;
}

/** Errors by which the product, the suite or a test says that a promise was broken; any other is an accident. */
const OBJECTIONS = new RegExp(
  '^(AssertionError|StaleJobHandleException|OutcomeUnknown|PublishNotConfirmedException|' +
    // The last is how vitest puts down a test that did not end in time.
    'Error: (Waited \\d|promise (resolved|rejected) |Test timed out|STACK_TRACE_ERROR)|did not end)',
);

/** Sorts what a case or a test failed with. */
export function findingOf(title: string, failure: string): Finding {
  const message = failure.split('\n')[0] ?? '';
  return { title, verdict: OBJECTIONS.test(message) ? 'objects' : 'breaks', message };
}

/** How a rule of the judge is called in a table: by the trial that it judged. */
export function ruleTitle(rule: string, cell: string, target: string): string {
  return `judge: ${rule} (${cell.split('/').at(-1)} on ${target})`;
}
