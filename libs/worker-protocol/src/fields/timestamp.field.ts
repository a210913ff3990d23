import { z } from 'zod';

/**
 * Source of the pattern: ISO 8601 with seconds, any fraction, and a zone that may be missing. Digits are spelled out
 * because the pattern goes into the JSON Schemas, and `\d` matches more than ten of them in other languages.
 */
export const TIMESTAMP_PATTERN =
  /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?$/;

/** Read it with `timestampToDate`. */
export const timestampField = z
  .string()
  .regex(TIMESTAMP_PATTERN)
  .describe(
    'When the frame was analysed: ISO 8601 with seconds and up to 9 digits of fraction, e.g. `2026-01-31T12:34:56.789Z`. Without a zone it is UTC.',
  );
