import type { z } from 'zod';

/** The value of a JSON text; undefined if it is none. Never throws. */
export function parsedJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a JSON text that another process may have written; null if the schema does not fit it. Never throws. */
export function readJson<T>(schema: z.ZodType<T>, text: string | null): T | null {
  return schema.safeParse(parsedJson(text)).data ?? null;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
