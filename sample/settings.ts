/** What the sample reads from its environment. Paths are relative to the folder it is started in. */
export interface SampleSettings {
  readonly port: number;
  readonly databaseFile: string;
  readonly outboxFile: string;
  readonly reportsFile: string;
  /** Above this many waiting jobs on a queue, /health/backlog answers 503. */
  readonly backlogLimit: number;
}

export function readSettings(environment: NodeJS.ProcessEnv = process.env): SampleSettings {
  return {
    port: wholeNumber(environment, 'PORT', 3_000),
    databaseFile: environment['SAMPLE_DATABASE_FILE'] ?? 'var/sample.sqlite',
    outboxFile: environment['SAMPLE_OUTBOX_FILE'] ?? 'var/outbox.log',
    reportsFile: environment['SAMPLE_REPORTS_FILE'] ?? 'var/reports.log',
    backlogLimit: wholeNumber(environment, 'SAMPLE_BACKLOG_LIMIT', 100),
  };
}

function wholeNumber(environment: NodeJS.ProcessEnv, name: string, otherwise: number): number {
  const text = environment[name];
  if (text === undefined || text === '') return otherwise;
  if (!/^\d+$/.test(text)) throw new Error(`${name}: expected a whole number, came "${text}".`);
  return Number(text);
}
