import { z } from 'zod';

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
