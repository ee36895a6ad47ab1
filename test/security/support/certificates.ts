import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd } from '../../support/server-child.js';

/** A certificate that signs itself: whoever trusts it says so. */
export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

/** `names` as openssl takes them, such as `DNS:localhost`. */
export function makeCertificate(folder: string, name: string, names: readonly string[]): Certificate {
  const certFile = join(folder, `${name}.pem`);
  const keyFile = join(folder, `${name}.key`);
  const made = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' ');
  const named = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${names.join(',')}`];
  runToEnd(['openssl', 'req', ...made, ...named, '-keyout', keyFile, '-out', certFile]);
  chmodSync(folder, 0o755);
  chmodSync(keyFile, 0o644);
  return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}
