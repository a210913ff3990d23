import type { SecureContextOptions } from 'node:tls';

/** TLS of the connection to one worker. PEM. */
export interface WorkerTls {
  /** Trusted certificates, instead of the well-known authorities. */
  readonly ca?: string | Buffer;
  /** The client certificate; needs `key`. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** Of an encrypted `key`. */
  readonly passphrase?: string;
}

/** The credentials of a request to a worker, over WebSocket or HTTP. */
export interface WorkerRequestOptions extends SecureContextOptions {
  readonly headers: Readonly<Record<string, string>>;
}

/** The credentials of this master for one worker. The secrets are private to the object; neither JSON nor a log shows them. */
export class WorkerCredentials {
  readonly #authorization: string | undefined;
  readonly #tls: WorkerTls;
  readonly #secrets: readonly string[];

  private constructor(authorization: string | undefined, tls: WorkerTls, secrets: readonly string[]) {
    this.#authorization = authorization;
    this.#tls = tls;
    this.#secrets = secrets.filter((secret) => secret !== '');
  }

  /**
   * @param url its user name and password, percent-encoded, become basic authentication, and its query is kept secret
   * @param token sent as `Authorization: Bearer`, and then the URL has no user name
   */
  static of(url: string, token?: string, tls: WorkerTls = {}): WorkerCredentials {
    const { username, password, searchParams } = new URL(url);
    const [user, word] = [decode(username), decode(password)];
    const basic = Buffer.from(`${user}:${word}`).toString('base64');
    const secrets = [tls.passphrase ?? '', ...searchParams.values()].filter(
      ({ length }) => length >= MIN_SECRET,
    );
    if (token !== undefined) return new WorkerCredentials(`Bearer ${token}`, tls, [token, ...secrets]);
    if (username === '' && password === '') return new WorkerCredentials(undefined, tls, secrets);
    return new WorkerCredentials(`Basic ${basic}`, tls, [basic, word, password, ...secrets]);
  }

  request(): WorkerRequestOptions {
    const authorization = this.#authorization;
    return { ...this.#tls, headers: authorization === undefined ? {} : { authorization } };
  }

  /** Makes text of the other side safe for logs, because it may repeat the credentials. */
  redact(text: string): string {
    return this.#secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
  }
}

/** Shorter values of a query may be ordinary words. */
const MIN_SECRET = 6;

/** The value as it appears without percent-encoding. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The URL without user name and password. */
export function withoutUserInfo(url: string): string {
  const parsed = new URL(url);
  if (parsed.username === '' && parsed.password === '') return url;
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}
