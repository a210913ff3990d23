import { z } from 'zod';

/** Percent, normally 0 to 100; null or missing if the worker cannot measure it. */
export const metricField = (what: string) =>
  z
    .number()
    .nullish()
    .describe(`${what}, in percent from 0 to 100; null or absent where it cannot be measured.`);
