import type { z } from 'zod';

/** What another process or program has written; null if it does not have the expected form. Never throws. */
export function readJson<Schema extends z.ZodType>(
  schema: Schema,
  text: string | null | undefined,
): z.infer<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(text ?? '')).data ?? null;
  } catch {
    return null;
  }
}
