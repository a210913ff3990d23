import { z } from 'zod';

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
