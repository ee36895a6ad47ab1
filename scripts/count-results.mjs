/**
 * Counts a JSON report of vitest, whose exit code was `code`. A file that could not be loaded is a failure, and so is an
 * error outside of every test.
 */
export function countResults(report, code) {
  const unloadable = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
  ).length;
  const failed = report.numFailedTests + unloadable;
  const unnamed = code !== 0 && failed === 0 && report.testResults.length > 0 ? 1 : 0;
  return {
    passed: report.numPassedTests,
    failed: failed + unnamed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** The line that a run ends with, and its exit code: 0 only when tests ran and none failed. */
export function lastLine({ passed, failed, skipped }, requireAll) {
  const failures = requireAll ? failed + skipped : failed;
  const rest = !requireAll && skipped > 0 ? `, ${skipped} skipped` : '';
  return {
    line: `${passed} passed, ${failures} failed${rest}`,
    exitCode: failures > 0 || passed === 0 ? 1 : 0,
  };
}
