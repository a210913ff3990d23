import { certificateProblem } from '../../../util/certificate-problem.js';
import { StoreError, toStoreError } from './store.error.js';

/** The messages of ioredis for a command that did not reach a server or got no answer, and of servers that cannot serve yet. */
const unavailableMessages = [
  /^Connection is closed/,
  /^Stream isn't writeable/,
  /^Command timed out/,
  /^Reached the max retries per request limit/,
  /^(?:LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|OOM|MISCONF|NOAUTH|WRONGPASS) /,
];

/** The same problem in messages of the libraries. */
const unavailableCodes: readonly unknown[] = [
  'STORE_UNREACHABLE',
  'CONNECTION_LOST',
  'TIMEOUT',
  'LOADING',
  'MASTERDOWN',
  'READONLY',
  'CLUSTERDOWN',
  'OOM',
  'MISCONF',
  'NOAUTH',
  'WRONGPASS',
];

/** Whether the error means that Redis could not be used, as opposed to a command that is wrong. */
export function isRedisUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return (
    error.name === 'MaxRetriesPerRequestError' ||
    ('code' in error && unavailableCodes.includes(error.code)) ||
    unavailableMessages.some((message) => message.test(error.message))
  );
}

/** Why a server that can be reached does not serve. */
const REFUSALS: Readonly<Record<string, string>> = {
  LOADING: 'Redis is loading its data',
  MISCONF: 'Redis refuses writes, because its disk is full or cannot be written',
  OOM: 'Redis refuses writes, because its memory is full',
};

/** What a caller may know of such an error: without internal details. */
export function describeUnavailable(error: Error): string {
  const known = toStoreError(error);
  const refusal = known instanceof StoreError && REFUSALS[known.code];
  if (refusal) return refusal;
  const problem = certificateProblem(error);
  return problem === undefined ? 'Redis cannot be reached' : `Redis cannot be reached: ${problem}`;
}
