import { z } from 'zod';
import { readJson } from '../../stores/read-json.js';
import {
  MAX_BOXES,
  MAX_LABEL_LENGTH,
  MAX_PICTURE_ID_LENGTH,
  MAX_SUMMARY,
} from '../../detections/detection-facts.js';

/** Maximum number of detections in one pulse. It counts the others. */
export const PULSE_DETECTIONS = 20;

/** Longest pulse that is parsed. Characters. */
const MAX_LENGTH = 256 * 1024;

/** A display and a camera, each of up to 256 characters. */
const identifier = z.string().max(520);
const url = z.string().max(2_048);
const count = z.number().nonnegative();

const share = z.number().min(0).max(1);

const process = z.object({
  processId: z.string().min(1).max(512),
  identifier: z.string().max(512),
  role: z.enum(['master', 'follower']),
  mayAct: z.boolean(),
  term: z.int().nonnegative(),
  leaseAgeMs: count.nullable(),
  detectionsPerSecond: count,
  delivered: count,
  redelivered: count,
  dropped: count,
  lagMs: z.number().nullable(),
  startedAt: z.iso.datetime(),
});

const detection = z.object({
  detectionId: z.string().max(512),
  subscriptionIdentifier: identifier,
  workerUrl: url,
  processId: z.string().max(512),
  receivedAt: z.iso.datetime(),
  redelivered: z.boolean(),
  // Processes of earlier versions do not send these.
  detectedAt: z.string().max(64).default(''),
  label: z.string().max(MAX_LABEL_LENGTH).nullable().default(null),
  confidence: z.number().min(0).max(1).nullable().default(null),
  boxes: z
    .array(z.tuple([share, share, share, share]).readonly())
    .max(MAX_BOXES)
    .readonly()
    .default([]),
  pictureId: z.string().max(MAX_PICTURE_ID_LENGTH).nullable().default(null),
  summary: z.string().max(MAX_SUMMARY),
});

const pulse = z.object({
  /** Rises with each incompatible change. */
  version: z.literal(2),
  process,
  /** New detections since the previous pulse, oldest first. */
  detections: z.array(detection).max(PULSE_DETECTIONS),
  /** How many more detections came in that time. */
  skippedDetections: z.int().nonnegative(),
  /** The process is ending, and this is its last pulse. */
  leaving: z.boolean(),
});

/** The message that each process sends to all others each second. */
export type Pulse = z.infer<typeof pulse>;

/** Parses a message of the channel; null if it is not a pulse. Never throws. */
export function readPulse(text: string): Pulse | null {
  return text.length > MAX_LENGTH ? null : readJson(pulse, text);
}
