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
   * @param options.end When it expires, to the second. It may have expired already. Default: in 30 days.
   */
  issue(name: string, options?: { readonly end?: Date }): Promise<IssuedCertificate>;
}

const LIFETIME = 30 * 86_400_000;
/** Of every certificate. Before the end of one that has expired. */
const BEGINNING = new Date('2020-01-01T00:00:00Z');
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
[ca]
default_ca = authority
[authority]
database = index.txt
new_certs_dir = .
serial = serial.txt
unique_subject = no
default_md = sha256
policy = policy
[policy]
commonName = supplied
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
  await openssl(directory, ...self, '-keyout', key, '-out', certificate);
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
  await writeFile(join(directory, 'index.txt'), '');
  await writeFile(join(directory, 'serial.txt'), '1000\n');
  return {
    file: own.certificate,
    ca,
    issue: async (name, { end = new Date(Date.now() + LIFETIME) } = {}) => {
      const [config, certificate, key, request] = pathsIn(
        directory,
        'openssl.cnf',
        `${name}.pem`,
        `${name}-key.pem`,
        `${name}.csr`,
      );
      const asked = ['req', ...NEW_KEY, '-config', config, '-subj', `/CN=${name}`];
      await openssl(directory, ...asked, '-keyout', key, '-out', request);
      const by = ['-cert', own.certificate, '-keyfile', own.key];
      const between = ['-startdate', dateText(BEGINNING), '-enddate', dateText(end)];
      const signed = [
        'ca',
        '-batch',
        '-notext',
        '-config',
        config,
        ...by,
        '-extensions',
        'issued',
        ...between,
      ];
      await openssl(directory, ...signed, '-in', request, '-out', certificate);
      return {
        files: { certificate, key },
        certificate: await readFile(certificate, 'utf8'),
        key: await readFile(key, 'utf8'),
      };
    },
  };
}

/** As OpenSSL wants it: `YYYYMMDDHHMMSSZ`. */
const dateText = (date: Date): string => `${date.toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`;

async function openssl(cwd: string, ...args: string[]): Promise<void> {
  const [program, ...before] = await findProgram({ name: 'openssl', package: 'openssl' });
  await runCommand(program!, [...before, ...args], { cwd });
}

function pathsIn<const Names extends readonly string[]>(directory: string, ...names: Names) {
  return names.map((name) => join(directory, name)) as { [Name in keyof Names]: string };
}
