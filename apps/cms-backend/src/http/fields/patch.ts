import type { z } from 'zod';

/** Checks that a PATCH changes something. */
export function checkNotEmpty(body: object, context: z.RefinementCtx): void {
  if (Object.values(body).every((value) => value === undefined))
    context.addIssue({ code: 'custom', message: 'must name at least one field to change' });
}
