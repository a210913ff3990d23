import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../debian/find-program.js';
import { runCommand } from '../support/run-command.js';

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

const KEY = '-nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1'.split(' ');
const EXTENSIONS = `subjectAltName = DNS:localhost, IP:127.0.0.1
extendedKeyUsage = serverAuth, clientAuth
`;

/**
 * Creates a new authority with its files in `directory`.
 * @throws ProgramUnavailableError without OpenSSL.
 */
export async function createAuthority(directory: string): Promise<Authority> {
  const [program, ...before] = await findProgram({ name: 'openssl', package: 'openssl' });
  const openssl = (...args: string[]) => runCommand(program!, [...before, ...args]);
  const path = (name: string) => join(directory, name);
  const [config, extensions, file, authorityKey] = [
    path('authority.cnf'),
    path('extensions.cnf'),
    path('authority.pem'),
    path('authority-key.pem'),
  ];
  await writeFile(
    config,
    '[req]\ndistinguished_name = name\nx509_extensions = extensions\nprompt = no\n[name]\nCN = authority\n' +
      '[extensions]\nbasicConstraints = critical, CA:TRUE\n',
  );
  await writeFile(extensions, EXTENSIONS);
  await openssl(
    'req',
    '-x509',
    '-days',
    '30',
    ...KEY,
    '-config',
    config,
    '-keyout',
    authorityKey,
    '-out',
    file,
  );
  return {
    file,
    ca: await readFile(file, 'utf8'),
    issue: async (name, { expired = false } = {}) => {
      const files = { certificate: path(`${name}.pem`), key: path(`${name}-key.pem`) };
      const request = path(`${name}.csr`);
      await openssl(
        'req',
        ...KEY,
        '-config',
        config,
        '-subj',
        `/CN=${name}`,
        '-keyout',
        files.key,
        '-out',
        request,
      );
      const signing = ['-CA', file, '-CAkey', authorityKey, '-CAcreateserial', '-extfile', extensions];
      const days = expired ? '-1' : '30';
      await openssl('x509', '-req', '-in', request, ...signing, '-days', days, '-out', files.certificate);
      const [certificate, key] = await Promise.all([
        readFile(files.certificate, 'utf8'),
        readFile(files.key, 'utf8'),
      ]);
      return { files, certificate, key };
    },
  };
}
