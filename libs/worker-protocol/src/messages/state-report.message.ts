import { z } from 'zod';
import { metricField } from '../fields/metric.field.js';
import { subscriptionIdentifierField } from '../fields/subscription-identifier.field.js';

const pixels = z.number().nullish();

/** One subscription that the worker holds. */
export const cameraConnection = z.looseObject({
  subscriptionIdentifier: subscriptionIdentifierField,
  modelId: z.int(),
  modelName: z.string(),
  /** Whether frames arrive from the camera. */
  online: z.boolean(),
  /** Corner only: what older workers report. */
  cropX: pixels,
  cropY: pixels,
  /** Rectangle: what newer workers report. */
  cropX1: pixels,
  cropY1: pixels,
  cropX2: pixels,
  cropY2: pixels,
});

/** Heartbeat and full state of a worker: what is not listed in `cameraConnections` it does not hold. */
export const stateReportMessage = z.looseObject({
  type: z.literal('stateReport'),
  cpuUsage: metricField,
  memoryUsage: metricField,
  gpuUsage: metricField,
  gpuMemoryUsage: metricField,
  cameraConnections: z.array(cameraConnection),
});

export type CameraConnection = z.infer<typeof cameraConnection>;
export type StateReportMessage = z.infer<typeof stateReportMessage>;
