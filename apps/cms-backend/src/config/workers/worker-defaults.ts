import type { WorkerEntry } from './worker-entry.schema.js';

type WorkerTls = NonNullable<WorkerEntry['tls']>;

/** Gives workers that have none of their own the common token, and those with `wss://` the common TLS settings. */
export function withWorkerDefaults(
  workers: readonly WorkerEntry[],
  token: string | undefined,
  tls: WorkerTls,
): WorkerEntry[] {
  const hasTls = Object.values(tls).some((value) => value !== undefined);
  return workers.map((worker) => {
    const { protocol, username, password } = new URL(worker.url);
    const isKnown = worker.token !== undefined || username !== '' || password !== '';
    const needsTls = hasTls && worker.tls === undefined && protocol === 'wss:';
    return {
      ...worker,
      ...(token !== undefined && !isKnown && { token }),
      ...(needsTls && { tls }),
    };
  });
}
