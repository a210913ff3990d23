import { environmentSchema } from './environment.schema.js';
import type { WorkerOptions } from './worker-options.js';

export interface ListenAddress {
  /** 0 takes a free port. */
  readonly port: number;
  readonly host: string;
}

export type EnvironmentResult =
  | { readonly ok: true; readonly address: ListenAddress; readonly options: WorkerOptions }
  /** One line per problem: `PORT: must be a whole number`. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the options from environment variables; an empty variable counts as not set. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): EnvironmentResult {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = environmentSchema.safeParse(given);
  if (!result.success)
    return {
      ok: false,
      problems: result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    };
  const { data } = result;
  return {
    ok: true,
    address: { port: data.PORT, host: data.HOST },
    options: {
      workerName: data.WORKER_NAME,
      detectionsPerSecond: data.DETECTIONS_PER_SECOND,
      stateReportInterval: data.STATE_REPORT_INTERVAL,
      onDisconnect: data.ON_DISCONNECT,
      lingerMs: data.LINGER_MS,
      protocol: data.PROTOCOL,
      fencing: data.FENCING,
      capacity: data.CAPACITY,
      control: data.CONTROL,
      patchSessionEveryMs: data.PATCH_SESSION_EVERY_MS,
      faults: {
        refuse: data.FAULT_REFUSE,
        offline: data.FAULT_OFFLINE,
        silentAfterMs: data.FAULT_SILENT_AFTER_MS,
        closeAfterMs: data.FAULT_CLOSE_AFTER_MS,
      },
    },
  };
}
