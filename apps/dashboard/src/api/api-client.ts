import { ApiError, problemIssues, problemText } from './api-error.js';

/** The service asks the master, which may be replaced during the call. Milliseconds. */
const TIMEOUT = 30_000;

export interface ApiClientOptions {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
  readonly apiKey: () => string | null;
}

export interface Picture {
  readonly blob: Blob;
  /** Whether it shows the moment of the requested detection, not the latest moment. */
  readonly ofMoment: boolean;
}

/** Calls of the service. Every failure is an {@link ApiError}. */
export class ApiClient {
  constructor(private readonly options: ApiClientOptions) {}

  get<T>(path: string): Promise<T> {
    return this.call<T>('GET', path);
  }

  post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.call<T>('POST', path, JSON.stringify(body));
  }

  /** @param headers beyond those of every call */
  put<T>(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<T> {
    return this.call<T>('PUT', path, JSON.stringify(body), headers);
  }

  async delete(path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.send('DELETE', path, { headers });
  }

  async picture(path: string, signal: AbortSignal): Promise<Picture> {
    const { blob, headers } = await this.read(path, { signal });
    return { blob, ofMoment: headers.get('x-picture-of') === 'detection' };
  }

  /** A file of any length, which may take any time. */
  async file(path: string): Promise<Blob> {
    const { blob } = await this.read(path, { timeout: null });
    return blob;
  }

  private async read(path: string, options: SendOptions): Promise<{ blob: Blob; headers: Headers }> {
    const response = await this.send('GET', path, options);
    const broken = () => new ApiError('the answer of the service ended early', response.status);
    return { blob: await response.blob().catch(() => Promise.reject(broken())), headers: response.headers };
  }

  private async call<T>(method: string, path: string, body?: string, headers = {}): Promise<T> {
    const response = await this.send(method, path, { body, headers });
    const answer = await response.json().catch(() => undefined);
    if (answer === undefined)
      throw new ApiError('the answer of the service is not readable', response.status);
    return answer as T;
  }

  /** The response of a call that succeeded. */
  private async send(
    method: string,
    path: string,
    { body, headers: more = {}, signal, timeout = TIMEOUT }: SendOptions,
  ): Promise<Response> {
    const key = this.options.apiKey();
    const headers = {
      ...more,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== null && { 'x-api-key': key }),
    };
    let response: Response;
    try {
      response = await this.options.fetch(path, {
        method,
        headers,
        signal: AbortSignal.any([
          ...(timeout === null ? [] : [AbortSignal.timeout(timeout)]),
          ...(signal === undefined ? [] : [signal]),
        ]),
        ...(body !== undefined && { body }),
      });
    } catch (error) {
      const late = error instanceof Error && error.name === 'TimeoutError';
      const why = late
        ? `the service did not answer within ${TIMEOUT / 1_000} s; the request may still be carried out`
        : 'the service cannot be reached';
      throw new ApiError(why, 0);
    }
    if (response.ok) return response;
    const problem: unknown = await response.json().catch(() => undefined);
    throw new ApiError(problemText(response.status, problem), response.status, problemIssues(problem));
  }
}

interface SendOptions {
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Milliseconds; null: none. */
  readonly timeout?: number | null;
}

/** The path with those parameters that have a value; an empty text is none. */
export function withQuery(path: string, parameters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
}
