import type { Redis } from 'ioredis';

/** What to do about a refusal, by its code. */
const REMEDIES: Readonly<Record<string, string>> = {
  READONLY: 'this server is a replica; name the master, or the sentinels that know it',
  MOVED: 'this server is a node of a Redis Cluster; give `redis` as { cluster: { nodes } }',
  CROSSSLOT: 'on a Redis Cluster the prefix of all keys needs a hash tag: {name}',
  NOAUTH: 'give `username` and `password`',
  WRONGPASS: 'check `username` and `password`, and that the user is enabled',
  NOPERM: 'the user lacks a right that is needed',
  MISCONF:
    'free space on the disk of Redis: it refuses writes until it can write its files, and then continues by itself',
  OOM: 'the memory of Redis is full: raise `maxmemory`, or remove what others have stored there',
};

/** Redis did not execute a command. The election retries with growing pauses. */
export class StoreError extends Error {
  override readonly name = 'StoreError';

  constructor(
    /**
     * The code of Redis's reply (`READONLY`, `LOADING`, `OOM`, `NOAUTH`, `WRONGPASS`, `NOPERM`, `MOVED`, `CLUSTERDOWN`,
     * `MISCONF`, …;
     * `ERR` for what has none), `TIMEOUT` when no reply came in time, or `CONNECTION_LOST` when the connection broke. After
     * the last two the command may have been applied.
     */
    readonly code: string,
    message: string,
    cause?: unknown,
  ) {
    super(code in REMEDIES ? `${message} (${REMEDIES[code]})` : message, { cause });
  }
}

/** The store cannot be reached. The command was not sent. */
export class StoreUnreachableError extends Error {
  override readonly name = 'StoreUnreachableError';
  readonly code = 'STORE_UNREACHABLE';

  constructor(status: string, cause?: unknown) {
    super(`Redis cannot be reached (${status})`, { cause });
  }
}

/** Converts an error of the client library to a `StoreError` with a code. Returns any other error unchanged. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const { message, name } = error;
  if (name === 'ReplyError')
    return new StoreError(
      codeOf(message),
      `Redis refused: ${message.replace(PLACE, '').slice(0, 500)}`,
      error,
    );
  if (message === 'Command timed out') return new StoreError('TIMEOUT', 'Redis did not reply in time', error);
  if (LOST.some((text) => message.includes(text)))
    return new StoreError('CONNECTION_LOST', 'the connection to Redis broke', error);
  if (message.startsWith("Stream isn't writeable"))
    return new StoreUnreachableError('connection closed', error);
  return error;
}

/** Where in a script Redis 7 met the error. */
const PLACE = /\.? script: [0-9a-f]{40}, on @\w+:\d+\.$/;

const LOST = ['Connection is closed', 'max retries per request limit'];

/** Servers before 7.0 hide the code of a command inside a script behind `ERR … -CODE`. */
function codeOf(message: string): string {
  const [first = 'ERR'] = message.split(' ', 1);
  const hidden = first === 'ERR' ? /-([A-Z]{3,}) /.exec(message)?.[1] : undefined;
  return hidden ?? (/^[A-Z]+$/.test(first) ? first : 'ERR');
}

const failures = new WeakMap<Redis, Error>();

/** Remembers why a connection fails, for callers that ask between two attempts. */
export function rememberFailures(redis: Redis): void {
  redis.on('error', (error: Error) => failures.set(redis, error));
  redis.on('ready', () => failures.delete(redis));
  // The client waits silently until the server has loaded its data.
  redis.on('connect', () => {
    redis.info('persistence').then(
      (text) => {
        if (redis.status === 'connect' && /^loading:1/m.test(text))
          failures.set(redis, new StoreError('LOADING', 'Redis is loading its data'));
      },
      () => undefined,
    );
  });
}

/** The error of the last attempt to connect, or the cause of its delay; `undefined` when there is neither. */
export function lastFailure(redis: Redis): Error | undefined {
  return failures.get(redis);
}
