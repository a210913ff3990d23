import type { WorkerEntry } from './worker-entry.schema.js';

/** What holds for workers that say nothing else. */
export interface WorkerDefaults {
  readonly token: string | undefined;
  /** For `wss://` URLs. */
  readonly tls: NonNullable<WorkerEntry['tls']>;
  readonly allowInsecureCredentials: boolean;
}

/** Gives workers what they have not of their own. */
export function withWorkerDefaults(
  workers: readonly WorkerEntry[],
  { token, tls, allowInsecureCredentials }: WorkerDefaults,
): WorkerEntry[] {
  const hasTls = Object.values(tls).some((value) => value !== undefined);
  return workers.map((worker) => {
    const { protocol, username, password } = new URL(worker.url);
    const isKnown = worker.token !== undefined || username !== '' || password !== '';
    const needsTls = hasTls && worker.tls === undefined && protocol === 'wss:';
    return {
      ...(allowInsecureCredentials && { allowInsecureCredentials }),
      ...worker,
      ...(token !== undefined && !isKnown && { token }),
      ...(needsTls && { tls }),
    };
  });
}
