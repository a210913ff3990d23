import { z } from 'zod';
import { metricField } from '../fields/metric.field.js';
import { subscriptionIdentifierField } from '../fields/subscription-identifier.field.js';

const corner = z
  .number()
  .nullish()
  .describe('Corner of the crop region in pixels; what older workers report.');
const edge = z.number().nullish().describe('Edge of the crop region in pixels, as subscribed.');

/** One subscription that the worker holds. */
export const cameraConnection = z.looseObject({
  subscriptionIdentifier: subscriptionIdentifierField,
  modelId: z.int().describe('As in the `subscribe` command.'),
  modelName: z.string().describe('As in the `subscribe` command.'),
  online: z.boolean().describe('Whether frames arrive from the camera.'),
  fingerprint: z.string().nullish().describe('As in the last `subscribe` command, if the worker repeats it.'),
  cropX: corner,
  cropY: corner,
  cropX1: edge,
  cropY1: edge,
  cropX2: edge,
  cropY2: edge,
});

export const stateReportMessage = z
  .looseObject({
    type: z.literal('stateReport'),
    cpuUsage: metricField('Load of the CPU'),
    memoryUsage: metricField('Memory in use'),
    gpuUsage: metricField('Load of the GPU'),
    gpuMemoryUsage: metricField("GPU's memory in use"),
    cameraConnections: z
      .array(cameraConnection)
      .describe('Every subscription that the worker holds: what is not listed it does not hold.'),
  })
  .describe(
    'Worker to master: heartbeat and full state, every 2,000 ms, after connecting, and when asked by `requestState`.',
  );

export type CameraConnection = z.infer<typeof cameraConnection>;
export type StateReportMessage = z.infer<typeof stateReportMessage>;
