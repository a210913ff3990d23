import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../debian/find-program.js';
import { runCommand } from './run-command.js';

/** A certificate for 127.0.0.1 and localhost that is its own authority. */
export interface Certificate {
  /** PEM of the certificate that a client has to trust. */
  readonly ca: string;
  /** PEM: the private key. */
  readonly key: string;
  readonly files: { readonly certificate: string; readonly key: string };
  /** Arguments of a Redis server that uses it. Clients do not need a certificate. */
  readonly args: readonly string[];
}

/** A certificate and its key, as PEM files and as text. */
export interface IssuedCertificate {
  readonly files: { readonly certificate: string; readonly key: string };
  readonly certificate: string;
  readonly key: string;
}

/** An authority that issues certificates for servers on this machine and for their clients. */
export interface Authority {
  /** Its own certificate, which both sides have to trust, as PEM file and as text. */
  readonly file: string;
  readonly ca: string;
  /**
   * @param name Common name of the holder; unique within the authority.
   * @param options.expired Whether it expired a day ago.
   */
  issue(name: string, options?: { readonly expired?: boolean }): Promise<IssuedCertificate>;
}

const NAMES = 'subjectAltName = DNS:localhost, IP:127.0.0.1';
const CONFIG = `[req]
distinguished_name = name
x509_extensions = extensions
prompt = no
[name]
CN = localhost
[extensions]
${NAMES}
basicConstraints = critical, CA:TRUE
[issued]
${NAMES}
extendedKeyUsage = serverAuth, clientAuth
`;
const NEW_KEY = '-nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1'.split(' ');

/**
 * Makes a new key and certificate in `directory`.
 * @throws ProgramUnavailableError without OpenSSL.
 */
export async function createCertificate(directory: string): Promise<Certificate> {
  const [config, key, certificate] = pathsIn(directory, 'openssl.cnf', 'key.pem', 'certificate.pem');
  await writeFile(config, CONFIG);
  const self = ['req', '-x509', '-days', '30', ...NEW_KEY, '-config', config];
  await openssl(...self, '-keyout', key, '-out', certificate);
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate];
  return {
    ca: await readFile(certificate, 'utf8'),
    key: await readFile(key, 'utf8'),
    files: { certificate, key },
    args: [...files, '--tls-auth-clients', 'no'],
  };
}

/**
 * Creates a new authority with its files in `directory`.
 * @throws ProgramUnavailableError without OpenSSL.
 */
export async function createAuthority(directory: string): Promise<Authority> {
  const { ca, files: own } = await createCertificate(directory);
  return {
    file: own.certificate,
    ca,
    issue: async (name, { expired = false } = {}) => {
      const [config, certificate, key, request] = pathsIn(
        directory,
        'openssl.cnf',
        `${name}.pem`,
        `${name}-key.pem`,
        `${name}.csr`,
      );
      const asked = ['req', ...NEW_KEY, '-config', config, '-subj', `/CN=${name}`];
      await openssl(...asked, '-keyout', key, '-out', request);
      const signed = ['x509', '-req', '-in', request, '-days', expired ? '-1' : '30'];
      const by = ['-CA', own.certificate, '-CAkey', own.key, '-CAcreateserial'];
      await openssl(...signed, ...by, '-extfile', config, '-extensions', 'issued', '-out', certificate);
      return {
        files: { certificate, key },
        certificate: await readFile(certificate, 'utf8'),
        key: await readFile(key, 'utf8'),
      };
    },
  };
}

async function openssl(...args: string[]): Promise<void> {
  const [program, ...before] = await findProgram({ name: 'openssl', package: 'openssl' });
  await runCommand(program!, [...before, ...args]);
}

function pathsIn<const Names extends readonly string[]>(directory: string, ...names: Names) {
  return names.map((name) => join(directory, name)) as { [Name in keyof Names]: string };
}
