import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../debian/find-program.js';
import { runCommand } from '../support/run-command.js';

/** A certificate for 127.0.0.1 and localhost that is its own authority. */
export interface Certificate {
  /** PEM of the certificate that a client has to trust. */
  readonly ca: string;
  /** PEM: the private key. */
  readonly key: string;
  /** Arguments of a Redis server that uses it. Clients do not need a certificate. */
  readonly args: readonly string[];
}

const CONFIG = `[req]
distinguished_name = name
x509_extensions = extensions
prompt = no
[name]
CN = localhost
[extensions]
subjectAltName = DNS:localhost, IP:127.0.0.1
basicConstraints = critical, CA:TRUE
`;

/**
 * Makes a new key and certificate in `directory`.
 * @throws ProgramUnavailableError
 */
export async function createCertificate(directory: string): Promise<Certificate> {
  const [config, key, certificate] = ['openssl.cnf', 'key.pem', 'certificate.pem'].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  await writeFile(config, CONFIG);
  const [program, ...before] = await findProgram({ name: 'openssl', package: 'openssl' });
  const request = `req -x509 -nodes -days 30 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1`.split(' ');
  await runCommand(program!, [...before, ...request, '-config', config, '-keyout', key, '-out', certificate]);
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate];
  return {
    ca: await readFile(certificate, 'utf8'),
    key: await readFile(key, 'utf8'),
    args: [...files, '--tls-auth-clients', 'no'],
  };
}
