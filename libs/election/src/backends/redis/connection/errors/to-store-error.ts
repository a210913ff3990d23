import { StoreError } from './store.error.js';
import { StoreUnreachableError } from './store-unreachable.error.js';

/** Converts an error of the client library to a `StoreError` with a code. Returns any other error unchanged. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const { message, name } = error;
  if (name === 'ReplyError')
    return new StoreError(codeOf(message), `Redis refused: ${message.slice(0, 500)}`, error);
  if (message === 'Command timed out') return new StoreError('TIMEOUT', 'Redis did not reply in time', error);
  if (LOST.some((text) => message.includes(text)))
    return new StoreError('CONNECTION_LOST', 'the connection to Redis broke', error);
  if (message.startsWith("Stream isn't writeable"))
    return new StoreUnreachableError('connection closed', error);
  return error;
}

const LOST = ['Connection is closed', 'max retries per request limit'];

/** Servers before 7.0 hide the code of a command inside a script behind `ERR … -CODE`. */
function codeOf(message: string): string {
  const [first = 'ERR'] = message.split(' ', 1);
  const hidden = first === 'ERR' ? /-([A-Z]{3,}) /.exec(message)?.[1] : undefined;
  return hidden ?? (/^[A-Z]+$/.test(first) ? first : 'ERR');
}
