import { z } from 'zod';

const text = z.string().nullish();
const number = z.number().nullish();

/** What the model saw. The named fields are those of the reference pipeline; any other is passed on untouched. */
export const detectionField = z.looseObject({
  carModel: text,
  carBrand: text,
  carYear: number,
  bodyType: text,
  licensePlateText: text,
  licensePlateType: text,
  licensePlateConfidence: number,
});

export type DetectionRecord = z.infer<typeof detectionField>;
