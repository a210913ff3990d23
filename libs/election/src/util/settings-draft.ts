import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** The TLS parameters of a URL, before they are put together. */
export interface TlsDraft {
  mode?: 'disable' | 'no-verify' | 'require' | 'verify-ca' | 'verify-full';
  accept?: 'strict' | 'accept_invalid_certs';
  /** Paths of files. */
  rootCertificate?: string;
  certificate?: string;
  key?: string;
  identity?: string;
  passphrase?: string;
  wanted?: boolean;
}

/** What the parameters of a URL have set so far, in the terms of `pg`. */
export interface SettingsDraft {
  readonly client: Record<string, unknown>;
  readonly pool: Record<string, unknown>;
  readonly session: Record<string, string>;
  readonly tls: TlsDraft;
  schema: string | null;
  pooler: boolean;
}

/** Sets a value unless another one has been set. */
export function setOnce<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  value: Target[Name],
  both: string,
): string | undefined {
  if (target[name] !== undefined && target[name] !== value) return `${both} set the same: give one of them`;
  target[name] = value;
  return undefined;
}

/** The option `ssl` of `pg`, read from the files that the URL names; undefined if the URL does not mention TLS. */
export function tlsOptions(draft: TlsDraft, problems: string[]): ConnectionOptions | false | undefined {
  const { mode = 'require', accept, rootCertificate, certificate, key, identity, passphrase } = draft;
  if (Object.keys(draft).length === 0) return undefined;
  if (mode === 'disable') return false;
  const count = problems.length;
  if ((certificate === undefined) !== (key === undefined))
    problems.push(
      certificate === undefined
        ? 'sslkey: needs sslcert, the certificate of this client'
        : 'sslcert: needs sslkey, because it is the certificate of this client; sslrootcert names the authority of the server',
    );
  if (passphrase !== undefined && key === undefined && identity === undefined)
    problems.push('sslpassword: needs sslkey or sslidentity, which it opens');
  if (mode === 'verify-ca' && rootCertificate === undefined)
    problems.push('sslmode: verify-ca needs sslrootcert; without it use verify-full');
  const lax = accept === 'accept_invalid_certs';
  if ((lax && mode.startsWith('verify')) || (accept === 'strict' && mode === 'no-verify'))
    problems.push('sslaccept: contradicts sslmode; remove one of them');
  if (problems.length > count) return undefined;
  const file = (name: string, path: string | undefined) => {
    if (path === undefined) return undefined;
    try {
      return readFileSync(path);
    } catch (error) {
      problems.push(`${name}: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
      return undefined;
    }
  };
  const ca = rootCertificate === 'system' ? undefined : file('sslrootcert', rootCertificate);
  const files = {
    ca,
    cert: file('sslcert', certificate),
    key: file('sslkey', key),
    pfx: file('sslidentity', identity),
  };
  if (problems.length > count) return undefined;
  return {
    ...Object.fromEntries(Object.entries(files).filter(([, content]) => content !== undefined)),
    ...(passphrase !== undefined && { passphrase }),
    ...((lax || mode === 'no-verify') && { rejectUnauthorized: false }),
    ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
  };
}
