import { z } from 'zod';
import { identifierProblem } from '../../model/subscription-identifier.js';
import type { DesiredCameraSubscription } from '../../model/subscriptions.js';
import {
  httpUrlProblem,
  intervalProblem,
  modelIdProblem,
  modelNameProblem,
  type Problem,
  readCrop,
  streamUrlProblem,
} from '../stream/stream-fields.js';

function checked<T>(problemOf: (value: unknown) => Problem) {
  return z.custom<T>((value) => problemOf(value) === null, {
    error: ({ input }) => problemOf(input) ?? 'is invalid',
  });
}

function subscriptionProblem(value: unknown): Problem {
  if (typeof value !== 'string') return 'must be a string';
  const halves = value.split(';');
  if (halves.length !== 2) return 'must be "<displayId>;<cameraId>"';
  return identifierProblem(halves[0]) ?? identifierProblem(halves[1]);
}

/** A subscription as stored in Redis. */
export interface StoredSubscription extends DesiredCameraSubscription {
  /** Its URLs with their secrets, encrypted; the plain URLs beside it contain no secrets. */
  sealed?: string;
  /** Hash of the complete subscription; only with `sealed`. */
  specHash?: string;
}

/** Any process of any version may have written it, so it is checked like foreign input. */
export const storedSubscriptionSchema: z.ZodType<StoredSubscription> = z
  .object({
    subscriptionIdentifier: checked<string>(subscriptionProblem),
    rtspUrl: checked<string>(streamUrlProblem),
    modelId: checked<number>(modelIdProblem),
    modelName: checked<string>(modelNameProblem),
    createdAt: z.iso.datetime(),
    snapshotUrl: checked<string>(httpUrlProblem).exactOptional(),
    snapshotInterval: checked<number>(intervalProblem).exactOptional(),
    cropX1: z.number().exactOptional(),
    cropY1: z.number().exactOptional(),
    cropX2: z.number().exactOptional(),
    cropY2: z.number().exactOptional(),
    modelUrl: checked<string>(httpUrlProblem).exactOptional(),
    sealed: z.string().exactOptional(),
    specHash: z.string().exactOptional(),
  })
  .superRefine((value, context) => {
    const reading = readCrop(value);
    if ('problem' in reading)
      context.addIssue({ code: 'custom', path: [reading.field], message: reading.problem });
  });
