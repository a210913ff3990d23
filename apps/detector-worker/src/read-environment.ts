import { hostname } from 'node:os';
import { DEFAULT_WORKER_PORT, STATE_REPORT_INTERVAL_MS } from '@detector-cluster/worker-protocol';
import { z } from 'zod';
import type { WorkerOptions } from './worker-options.js';

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);
const milliseconds = (min: number) => whole(min, 86_400_000);
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);
const onOff = z.enum(['on', 'off'], 'must be on or off');

/** Every variable the worker reads, all optional. */
export const environmentSchema = z.object({
  PORT: whole(0, 65_535).default(DEFAULT_WORKER_PORT),
  HOST: z.string().default('0.0.0.0'),
  WORKER_NAME: z.string().default(() => hostname()),
  DETECTIONS_PER_SECOND: z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'must be a number')
    .transform(Number)
    .refine((value) => value <= 100_000, 'must be at most 100000')
    .default(1),
  STATE_REPORT_INTERVAL: milliseconds(10).default(STATE_REPORT_INTERVAL_MS),
  ON_DISCONNECT: z.enum(['linger', 'drop'], 'must be linger or drop').default('linger'),
  LINGER_MS: milliseconds(0).default(15_000),
  PROTOCOL: z.enum(['any', 'v1', 'v2'], 'must be any, v1 or v2').default('any'),
  FENCING: onOff.default('on'),
  CAPACITY: whole(1, 100_000).default(16),
  OPEN_CAMERAS: onOff.default('off'),
  DOWNLOAD_MODELS: onOff.default('off'),
  CONTROL: onOff.default('off'),
  PATCH_SESSION_EVERY_MS: milliseconds(10).nullable().default(null),
  FAULT_REFUSE: list.default([]),
  FAULT_OFFLINE: list.default([]),
});

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
      openCameras: data.OPEN_CAMERAS,
      downloadModels: data.DOWNLOAD_MODELS,
      control: data.CONTROL,
      patchSessionEveryMs: data.PATCH_SESSION_EVERY_MS,
      faults: { refuse: data.FAULT_REFUSE, offline: data.FAULT_OFFLINE },
    },
  };
}
