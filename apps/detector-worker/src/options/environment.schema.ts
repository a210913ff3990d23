import { hostname } from 'node:os';
import { DEFAULT_WORKER_PORT, STATE_REPORT_INTERVAL_MS } from '@detector-cluster/worker-protocol';
import { z } from 'zod';

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
  CONTROL: onOff.default('off'),
  PATCH_SESSION_EVERY_MS: milliseconds(10).nullable().default(null),
  FAULT_REFUSE: list.default([]),
  FAULT_OFFLINE: list.default([]),
  FAULT_SILENT_AFTER_MS: milliseconds(0).nullable().default(null),
  FAULT_CLOSE_AFTER_MS: milliseconds(0).nullable().default(null),
});

export type WorkerEnvironment = z.output<typeof environmentSchema>;
