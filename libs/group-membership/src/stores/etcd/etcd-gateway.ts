import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface EtcdGatewayOptions {
  /** URLs of the members. If one is unavailable, the gateway tries another. */
  readonly hosts: readonly string[];
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string } | undefined;
  readonly auth: { readonly username: string; readonly password: string } | undefined;
  /** Timeout of each call. Milliseconds. */
  readonly timeout: number;
}

/** etcd refused a call. */
export class EtcdRefusedError extends Error {
  override readonly name = 'EtcdRefusedError';
  readonly code = 'ETCD_REFUSED';

  constructor(
    readonly status: number,
    reason: string,
  ) {
    super(`etcd refused: ${reason}`);
  }
}

/** Maximum length of an answer; real ones are short. Bytes. */
const LONGEST = 1024 * 1024;

/** etcd's errors for a token that has expired or that another member does not know. */
const BAD_TOKEN = /invalid auth token|auth token is not provided/;

/** The JSON gateway of the etcd v3 API, available in etcd 3.4 or newer. */
export class EtcdGateway {
  private current = 0;
  private token: string | undefined;

  constructor(private readonly options: EtcdGatewayOptions) {}

  /** @throws EtcdRefusedError, and network errors. */
  async call<Answer>(path: string, body: object): Promise<Answer> {
    if (this.options.auth && this.token === undefined) await this.authenticate();
    try {
      return await this.anywhere<Answer>(path, body);
    } catch (error) {
      if (!this.options.auth || !(error instanceof EtcdRefusedError) || !BAD_TOKEN.test(error.message))
        throw error;
      await this.authenticate();
      return this.anywhere<Answer>(path, body);
    }
  }

  private async authenticate(): Promise<void> {
    this.token = undefined;
    const { username: name, password } = this.options.auth!;
    const { token } = await this.anywhere<{ token: string }>('/v3/auth/authenticate', { name, password });
    this.token = token;
  }

  /** Repeats a call at another member only if the first member cannot have received it. */
  private async anywhere<Answer>(path: string, body: object): Promise<Answer> {
    const { hosts } = this.options;
    for (let tried = 1; ; tried++)
      try {
        return (await this.post(new URL(path, hosts[this.current]), body)) as Answer;
      } catch (error) {
        if (error instanceof EtcdRefusedError) throw error;
        this.current = (this.current + 1) % hosts.length;
        const refused = (error as NodeJS.ErrnoException).syscall === 'connect';
        if (!refused || tried >= hosts.length) throw error;
      }
  }

  private post(url: URL, body: object): Promise<unknown> {
    const { tls, timeout } = this.options;
    const text = JSON.stringify(body);
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      ...(this.token !== undefined && { authorization: this.token }),
    };
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(timeout);
      const late = () => new Error(`${url.host} did not answer within ${timeout} ms`);
      const request = send(url, { method: 'POST', headers, agent: false, signal, ...tls }, (response) => {
        let answer = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          answer += chunk;
          if (answer.length > LONGEST) request.destroy(new Error(`${url.host} answered too much`));
        });
        response.on('error', reject);
        response.on('end', () => {
          try {
            const value = JSON.parse(answer) as { error?: string; message?: string };
            if (response.statusCode === 200) resolve(value);
            else reject(new EtcdRefusedError(response.statusCode!, value.message ?? value.error ?? answer));
          } catch {
            reject(new EtcdRefusedError(response.statusCode!, answer.slice(0, 200)));
          }
        });
      });
      request.on('error', (error) => reject(signal.aborted ? late() : error));
      request.end(text);
    });
  }
}
