import type { HelloMessage } from '@detector-cluster/dashboard-protocol';
import { z } from 'zod';
import { readJson } from '../stores/read-json.js';

const envelope = z.object({ event: z.literal('hello'), data: z.looseObject({ version: z.int() }) });

/** The fields that a page of this version sends in addition to its version. */
const data = z.object({ version: z.int(), apiKey: z.string().max(256).nullable() });

/** The first frame of a page: a greeting, the greeting of a page of another version, or null. */
export type Hello = HelloMessage['data'] | { readonly version: number; readonly apiKey?: undefined } | null;

/** Reads a frame as a `hello`. Ignores other fields of a page of another version. Never throws. */
export function readHello(frame: unknown, version: number): Hello {
  const greeting = readJson(envelope, String(frame))?.data;
  if (greeting === undefined) return null;
  return greeting.version === version
    ? (data.safeParse(greeting).data ?? null)
    : { version: greeting.version };
}
