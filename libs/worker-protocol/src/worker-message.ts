import { z, type ZodType } from 'zod';
import {
  bootField,
  detectionField,
  seqField,
  subscriptionIdentifierField,
  TIMESTAMP_PATTERN,
  timestampField,
} from './fields.js';
import { BOOT_PATTERN } from './protocol-constants.js';

export const imageDetectionMessage = z
  .looseObject({
    type: z.literal('imageDetection'),
    subscriptionIdentifier: subscriptionIdentifierField,
    timestamp: timestampField,
    boot: bootField.optional(),
    seq: seqField.optional(),
    data: z.looseObject({
      detection: detectionField
        .nullish()
        .describe('What the model saw; null, absent or empty when it looked and found nothing.'),
      modelId: z.int().describe('As in the `subscribe` command.'),
      modelName: z.string().describe('As in the `subscribe` command.'),
    }),
  })
  .describe('Worker to master: one analysed frame of one subscription.');

export type ImageDetectionMessage = z.infer<typeof imageDetectionMessage>;

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown) => typeof value === 'string' || value === undefined || value === null;
const isNumber = (value: unknown) => Number.isFinite(value) || value === undefined || value === null;

// The schema counts characters. Most strings are short enough even in code units.
const isShort = (text: string) => text.length <= 1024 || (text.length <= 2048 && [...text].length <= 1024);

const isNumbering = (boot: unknown, seq: unknown) =>
  (boot === undefined || (typeof boot === 'string' && BOOT_PATTERN.test(boot))) &&
  (seq === undefined || (Number.isSafeInteger(seq) && (seq as number) >= 1));

const isDetection = (value: unknown) =>
  value === undefined ||
  value === null ||
  (isObject(value) &&
    isText(value.carModel) &&
    isText(value.carBrand) &&
    isNumber(value.carYear) &&
    isText(value.bodyType) &&
    isText(value.licensePlateText) &&
    isText(value.licensePlateType) &&
    isNumber(value.licensePlateConfidence));

/**
 * The `imageDetection` schema as a predicate over parsed JSON, because it runs for every detection. It accepts exactly
 * what the schema accepts, as a property test asserts. A change of one requires the same change of the other.
 */
export function isImageDetection(message: unknown): message is ImageDetectionMessage {
  if (!isObject(message) || message.type !== 'imageDetection') return false;
  const { boot, subscriptionIdentifier, seq, timestamp, data } = message;
  return (
    typeof subscriptionIdentifier === 'string' &&
    subscriptionIdentifier.length >= 1 &&
    isShort(subscriptionIdentifier) &&
    typeof timestamp === 'string' &&
    TIMESTAMP_PATTERN.test(timestamp) &&
    isNumbering(boot, seq) &&
    isObject(data) &&
    Number.isSafeInteger(data.modelId) &&
    typeof data.modelName === 'string' &&
    isDetection(data.detection)
  );
}

/** Percent, normally 0 to 100; null or missing if the worker cannot measure it. */
const metricField = (what: string) =>
  z
    .number()
    .nullish()
    .describe(`${what}, in percent from 0 to 100; null or absent where it cannot be measured.`);

const corner = z
  .number()
  .nullish()
  .describe('Corner of the crop region in pixels; what older workers report.');
const edge = z.number().nullish().describe('Edge of the crop region in pixels, as subscribed.');

/** One subscription that the worker holds. */
const cameraConnection = z.looseObject({
  subscriptionIdentifier: subscriptionIdentifierField,
  modelId: z.int().describe('As in the `subscribe` command.'),
  modelName: z.string().describe('As in the `subscribe` command.'),
  online: z.boolean().describe('Whether frames arrive from the camera.'),
  fingerprint: z.string().nullish().describe('As in the last `subscribe` command, if the worker repeats it.'),
  modelState: z
    .enum(['loading', 'ready', 'failed'])
    .nullish()
    .describe('Of the file and its model; absent: the worker does not tell, and counts as ready.'),
  reason: z
    .string()
    .nullish()
    .describe('Why the model has failed, for people. The first 200 characters are shown.'),
  cropX: corner,
  cropY: corner,
  cropX1: edge,
  cropY1: edge,
  cropX2: edge,
  cropY2: edge,
});

const loadedModel = z.looseObject({
  modelId: z.int().describe('As in the `subscribe` command.'),
  modelVersion: z.string().nullish().describe('As in the `subscribe` command, if it had one.'),
});

/** Fields for people and for the planner, without which a row is still of use. */
const DISPENSABLE = ['modelState', 'reason'] as const;

/**
 * A state report without those of its {@link DISPENSABLE} fields, and without `loadedModels`, that are invalid; null if there are none. An odd
 * field must not cost the worker its report.
 */
export function withoutInvalidFields(report: JsonObject): { value: JsonObject; detail: string } | null {
  const { cameraConnections: rows, loadedModels, ...rest } = report;
  if (!Array.isArray(rows)) return null;
  const isValid = stateReportMessage.shape.loadedModels.safeParse(loadedModels).success;
  let detail = isValid ? '' : 'loadedModels: is ignored, because it is invalid';
  const valid = rows.map((row: unknown, index) => {
    if (!isObject(row)) return row;
    const wrong = DISPENSABLE.filter((name) => !cameraConnection.shape[name].safeParse(row[name]).success);
    if (wrong.length === 0) return row;
    detail ||= `cameraConnections.${index}.${wrong[0]}: is ignored, because it is invalid`;
    return Object.fromEntries(Object.entries(row).filter(([name]) => !wrong.includes(name as never)));
  });
  return detail === ''
    ? null
    : { value: { ...rest, ...(isValid && { loadedModels }), cameraConnections: valid }, detail };
}

const stateReportMessage = z
  .looseObject({
    type: z.literal('stateReport'),
    cpuUsage: metricField('Load of the CPU'),
    memoryUsage: metricField('Memory in use'),
    gpuUsage: metricField('Load of the GPU'),
    gpuMemoryUsage: metricField("GPU's memory in use"),
    loadedModels: z
      .array(loadedModel)
      .nullish()
      .describe('The models that are ready in memory. Absent: the planner goes by the rows.'),
    cameraConnections: z
      .array(cameraConnection)
      .describe('Every subscription that the worker holds: what is not listed it does not hold.'),
  })
  .describe(
    'Worker to master: heartbeat and full state, every 2,000 ms, after connecting, and when asked by `requestState`.',
  );

export type CameraConnection = z.infer<typeof cameraConnection>;
export type StateReportMessage = z.infer<typeof stateReportMessage>;

const patchSessionMessage = z
  .looseObject({
    type: z.literal('patchSession'),
    sessionId: z.int().describe('As given by `setSessionId`.'),
    data: z
      .unknown()
      .optional()
      .describe('Any JSON value; its meaning is between the model and the application.'),
  })
  .describe(
    'Worker to master: the worker learned something about a session. It expects one `patchSessionResult`.',
  );

export type PatchSessionMessage = z.infer<typeof patchSessionMessage>;

/** Any message of a worker: a flat object with a `type`. */
export type WorkerMessage = ImageDetectionMessage | StateReportMessage | PatchSessionMessage;

export type WorkerMessageType = 'imageDetection' | 'stateReport' | 'patchSession';

/** Wire schemas by type. They keep unknown fields. */
export const workerMessageSchemas = {
  imageDetection: imageDetectionMessage,
  stateReport: stateReportMessage,
  patchSession: patchSessionMessage,
} satisfies Record<WorkerMessageType, ZodType>;
