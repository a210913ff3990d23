import { z } from 'zod';

/** Percent, normally 0 to 100; null or missing where the worker cannot measure it. */
export const metricField = z.number().nullish();
