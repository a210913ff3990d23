/** The messages of ioredis for a command that did not reach a server or got no answer, and of servers that cannot serve yet. */
const unavailableMessages = [
  /^Connection is closed/,
  /^Stream isn't writeable/,
  /^Command timed out/,
  /^Reached the max retries per request limit/,
  /^(?:LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|OOM|NOAUTH|WRONGPASS) /,
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
