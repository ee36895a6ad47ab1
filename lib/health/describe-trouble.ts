import { HealthTimeout } from './within.js';

/** What a health answer says of an error. */
export interface Trouble {
  readonly error: string;
  readonly message: string;
}

const SENTENCES: Readonly<Record<string, string>> = {
  QUEUE_CONNECTION_FAILED: 'The backend could not be reached.',
  QUEUE_OUTCOME_UNKNOWN: 'The connection to the backend was lost before it answered.',
  QUEUE_SERVER_REFUSED: 'The backend answered, but refuses requests for now.',
  SCHEMA_OUTDATED: 'The tables of the queue are missing or older than this code: run the migrations.',
};

/**
 * An error as it may be shown to whoever can open a health address: a code or a class name, and a sentence of our own.
 * The message of a driver can hold addresses, user names and passwords, so it is left to the logs.
 */
export function describeTrouble(error: unknown): Trouble {
  if (error instanceof HealthTimeout) return { error: 'TIMEOUT', message: error.message };
  const name = nameOf(error);
  return { error: name, message: SENTENCES[name] ?? 'The backend failed to answer; the logs say more.' };
}

/** The code or class name, where it looks like one: both are free text that a driver could fill with anything. */
function nameOf(error: unknown): string {
  try {
    if (!(error instanceof Error)) return 'Error';
    const code: unknown = 'code' in error ? error.code : undefined;
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code)) return code;
    return /^[A-Z][A-Za-z]{1,63}$/.test(error.name) ? error.name : 'Error';
  } catch {
    return 'Error';
  }
}
