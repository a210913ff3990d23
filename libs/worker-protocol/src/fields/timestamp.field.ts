import { z } from 'zod';

/** Source of the pattern: ISO 8601 with seconds, any fraction, and a zone that may be missing. */
export const TIMESTAMP_PATTERN =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

/** When a frame was analysed, e.g. `2025-07-13T12:34:56.789Z`. Read it with `timestampToDate`. */
export const timestampField = z.string().regex(TIMESTAMP_PATTERN);
