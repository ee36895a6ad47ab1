import type { SqlServerConnectionOptions } from './sql-connection.options.js';

/** What tools of the databases call it in an address: `sslmode`, `ssl-mode`, `ssl`, `sslrootcert`, `useSSL`, `tls`, … */
const OF_ENCRYPTION = /^(use|require)?_?(ssl|tls)/i;

/** Values that ask for no encryption, or are content without. */
const WITHOUT = new Set(['disable', 'disabled', 'allow', 'prefer', 'preferred', 'false', '0', 'no', 'off']);

/**
 * The parameter by which an address asks for an encrypted connection that the options do not make; null where there is none.
 * MikroORM passes over it, so the password would be sent in the clear.
 */
export function unheardEncryption({ url, ssl }: SqlServerConnectionOptions): string | null {
  if (url === undefined || (ssl !== undefined && ssl !== false)) return null;
  for (const [name, value] of new URL(url).searchParams) {
    if (OF_ENCRYPTION.test(name) && !WITHOUT.has(value.toLowerCase())) return name.slice(0, 20);
  }
  return null;
}
