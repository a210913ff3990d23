import type { SecureContextOptions } from 'node:tls';

/** TLS of the connection to one worker. PEM. */
export interface WorkerTls {
  /** Trusted instead of the well-known authorities. */
  readonly ca?: string | Buffer;
  /** The certificate that is shown to the worker; needs `key`. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** Of an encrypted `key`. */
  readonly passphrase?: string;
}

/** What a request to a worker carries, over WebSocket and HTTP alike. */
export interface WorkerRequestOptions extends SecureContextOptions {
  readonly headers: Readonly<Record<string, string>>;
}

/** How a worker is to know this master. The secrets are private to the object; neither JSON nor a log shows them. */
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

  /** Text that came from the other side, fit for logs: it may repeat what it was sent. */
  redact(text: string): string {
    return this.#secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
  }
}

/** Shorter values of a query are words of everyday. */
const MIN_SECRET = 6;

/** As it stands where it is not percent-encoded. */
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
