/** Whether this run has time for tests at their full length: `KINETIS_TEST_LONG=1`. */
export const LONG = process.env['KINETIS_TEST_LONG'] === '1';
