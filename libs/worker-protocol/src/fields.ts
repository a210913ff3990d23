import { z } from 'zod';
import { BOOT_PATTERN } from './protocol-constants.js';

/**
 * Only length is checked here, so that one odd row does not make a whole state report unreadable; the form is enforced
 * where identifiers are created.
 */
export const subscriptionIdentifierField = z
  .string()
  .min(1)
  .max(1024)
  .describe(
    '`<displayId>;<cameraId>`, at most 1,024 characters. Compare it as it is; nothing is normalised.',
  );

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

export const bootField = z
  .string()
  .regex(BOOT_PATTERN)
  .describe('Drawn at random at every start of the worker: 8 to 32 letters and digits.');

export const seqField = z
  .int()
  .min(1)
  .describe(
    'Number of the detection under its `boot`, over all subscriptions: the first is 1, each next one 1 more.',
  );

const ZONE = /(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Date of a `timestamp` field. A timestamp without a zone is UTC: Python's `utcnow().isoformat()` writes it so, whereas
 * JavaScript would read it as local time.
 */
export function timestampToDate(timestamp: string): Date {
  return new Date(ZONE.test(timestamp) ? timestamp : `${timestamp}Z`);
}

const text = (what: string) => z.string().nullish().describe(what);
const number = (what: string) => z.number().nullish().describe(what);

/** The result of the model. The named fields are those of the reference pipeline; other fields are passed on unchanged. */
export const detectionField = z
  .looseObject({
    carModel: text('E.g. `Corolla`.'),
    carBrand: text('E.g. `Toyota`.'),
    carYear: number('Year of the model, e.g. 2021.'),
    bodyType: text('E.g. `Sedan`.'),
    licensePlateText: text('As read from the plate.'),
    licensePlateType: text('Kind of the plate.'),
    licensePlateConfidence: number('From 0 to 1.'),
  })
  .describe('What the model saw. Fields that are not named here are passed on to the application untouched.');

export type DetectionRecord = z.infer<typeof detectionField>;
