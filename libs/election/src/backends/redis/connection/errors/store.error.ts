/** What to do about a refusal, by its code. */
const REMEDIES: Readonly<Record<string, string>> = {
  READONLY: 'this server is a replica; name the master, or the sentinels that know it',
  MOVED: 'this server is a node of a Redis Cluster; give `redis` as { cluster: { nodes } }',
  CROSSSLOT: 'on a Redis Cluster the prefix of all keys needs a hash tag: {name}',
  NOAUTH: 'give `username` and `password`',
  WRONGPASS: 'check `username` and `password`, and that the user is enabled',
  NOPERM: 'the user lacks a right that is needed',
};

/** Redis did not execute a command. The election retries with growing pauses. */
export class StoreError extends Error {
  override readonly name = 'StoreError';

  constructor(
    /**
     * The code of Redis's reply (`READONLY`, `LOADING`, `OOM`, `NOAUTH`, `WRONGPASS`, `NOPERM`, `MOVED`, `CLUSTERDOWN`, …;
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
