/** What the sample reads from its environment. Paths are relative to the folder it is started in. */
export interface SampleSettings {
  readonly port: number;
  readonly databaseFile: string;
  readonly outboxFile: string;
  readonly reportsFile: string;
  /** Above this many waiting jobs on a queue, /health/backlog answers 503. */
  readonly backlogLimit: number;
  /** Opens the board at /queues; null: a new one at each start, which is printed. */
  readonly boardPassword: string | null;
}

export function readSettings(environment: NodeJS.ProcessEnv = process.env): SampleSettings {
  return {
    port: wholeNumber(environment, 'PORT', 3_000, 65_535),
    databaseFile: environment['SAMPLE_DATABASE_FILE'] ?? 'var/sample.sqlite',
    outboxFile: environment['SAMPLE_OUTBOX_FILE'] ?? 'var/outbox.log',
    reportsFile: environment['SAMPLE_REPORTS_FILE'] ?? 'var/reports.log',
    backlogLimit: wholeNumber(environment, 'SAMPLE_BACKLOG_LIMIT', 100),
    boardPassword: environment['SAMPLE_BOARD_PASSWORD'] || null,
  };
}

class SettingsError extends Error {}

/** For the start of a script: a setting that does not fit is one line and exit code 64 (usage), not a stack. */
export function settingsOrExit(): SampleSettings {
  try {
    return readSettings();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(64);
  }
}

function wholeNumber(
  environment: NodeJS.ProcessEnv,
  name: string,
  otherwise: number,
  most = Number.MAX_SAFE_INTEGER,
): number {
  const text = environment[name];
  if (text === undefined || text === '') return otherwise;
  if (/^\d+$/.test(text) && Number(text) <= most) return Number(text);
  throw new SettingsError(`${name}: expected a whole number from 0 to ${most}, came "${text}".`);
}
