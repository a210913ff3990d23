import { identifierProblem, plainTextProblem } from '@detector-cluster/detector-cluster/validation';
import { z } from 'zod';

/** This header says whether a picture is that of the `detection` that was asked for, or the `latest` of its camera. */
export const PICTURE_OF = 'x-picture-of';

/** Control characters and halves of surrogate pairs: Postgres refuses or silently replaces them. */
const printable = /^[^\p{Cc}\p{Cs}]*$/u;

const text = () =>
  z.string({ error: ({ input }) => (input === undefined ? 'must be given' : 'must be a string') });

/** Text without control characters. */
export function textField(max: number) {
  return text()
    .max(max, `must be at most ${max} characters`)
    .regex(printable, 'must not contain control characters');
}

/** A name: text that is not empty, and that no other text can look exactly like. */
export function nameField() {
  return text()
    .max(256, 'must be at most 256 characters')
    .regex(/\S/, 'must not be empty')
    .superRefine((value, context) => {
      const problem = value.trim() === '' ? null : plainTextProblem(value);
      if (problem !== null) context.addIssue(problem);
    });
}

/**
 * One half of a subscription identifier `<displayId>;<cameraId>`. "." and ".." are refused because no URL can carry
 * them as a path segment, so that they could not be read or deleted again.
 */
export function identifierField() {
  return text()
    .superRefine((value, context) => {
      const problem = identifierProblem(value);
      if (problem !== null) context.addIssue(problem);
      else if (value === '.' || value === '..') context.addIssue('must not be "." or ".."');
    })
    .meta({ override: { minLength: 1, maxLength: 256, pattern: '^[^;\\u0000-\\u001f\\u007f-\\u009f]+$' } });
}

/** A database id in a body. */
export function idField() {
  return z.int32('must be a whole number').min(1, 'must be at least 1');
}

/** Text of another writer: all that the database can hold. */
export function anyText(max: number) {
  return (
    z
      .string()
      .max(max, `must be at most ${max} characters`)
      // eslint-disable-next-line no-control-regex
      .regex(/^[^\u0000\p{Cs}]*$/u, 'must be valid text')
  );
}

/** An identifier in a path. Whatever could be stored by another writer can be looked up, so that it can be removed. */
export const identifierParam = anyText(512).min(1);

/** A switch in a query. */
export function flagQuery(description: string) {
  return z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((text) => text === 'true')
    .meta({ description });
}

/** In a query: only those of this camera. */
export const cameraQuery = textField(256).min(1).optional().meta({ description: '`cameraIdentifier`' });

/** A database id in a path. */
export const idParam = z.coerce
  .number('must be a whole number')
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(2_147_483_647, 'must be at most 2147483647');

/** When something happened, as ISO 8601 in UTC. */
export const instantField = z.iso.datetime();

/** A time in a query. */
export const instantQuery = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-11-24T10:00:00Z' })
  .transform((text) => new Date(text));

/** Checks that a PATCH changes something. */
export function checkNotEmpty(body: object, context: z.RefinementCtx): void {
  if (Object.values(body).every((value) => value === undefined))
    context.addIssue({ code: 'custom', message: 'must name at least one field to change' });
}

/** A row as the API shows it: its instants as ISO 8601. */
export function withInstants<Row extends { createdAt: Date; updatedAt: Date }>(row: Row) {
  return { ...row, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() };
}

const MAX_COORDINATE = 65_535;

const coordinate = () =>
  z
    .int('must be a whole number or null')
    .min(0, 'must be at least 0')
    .max(MAX_COORDINATE, `must be at most ${MAX_COORDINATE}`)
    .nullish();

/** Region of the picture, in pixels; all four are set or none. Spread it into a body's shape. */
export const cropInput = {
  cropX1: coordinate().meta({ description: 'Left edge in pixels; the four crop fields are set together' }),
  cropY1: coordinate(),
  cropX2: coordinate(),
  cropY2: coordinate(),
};

/** The same in a response. */
export const cropOutput = {
  cropX1: z.int().nullable(),
  cropY1: z.int().nullable(),
  cropX2: z.int().nullable(),
  cropY2: z.int().nullable(),
};

type Crop = { [K in keyof typeof cropInput]?: number | null | undefined };
const edges = ['cropX1', 'cropY1', 'cropX2', 'cropY2'] as const;
const axes = [
  ['cropX1', 'cropX2'],
  ['cropY1', 'cropY2'],
] as const;

/** Checks the crop of a new entry: all four fields or none, corners in order. Null and absent are the same. */
export function checkCrop(crop: Crop, context: z.RefinementCtx): void {
  const missing = edges.filter((edge) => typeof crop[edge] !== 'number');
  if (missing.length === edges.length) return;
  for (const edge of missing) report(context, edge, 'must be set too: the crop fields are set together');
  if (missing.length > 0) return;
  for (const [low, high] of axes)
    if (Number(crop[low]) >= Number(crop[high])) report(context, high, `must be greater than ${low}`);
}

/** Checks the crop of a PATCH: it changes all four fields or none, so that no half of an old crop remains. */
export function checkCropChange(crop: Crop, context: z.RefinementCtx): void {
  const absent = edges.filter((edge) => crop[edge] === undefined);
  if (absent.length === edges.length) return;
  for (const edge of absent) report(context, edge, 'must be given too: the crop fields change together');
  if (absent.length === 0) checkCrop(crop, context);
}

function report(context: z.RefinementCtx, edge: keyof Crop, message: string): void {
  context.addIssue({ code: 'custom', path: [edge], message });
}
