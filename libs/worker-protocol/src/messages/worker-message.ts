import type { ZodType } from 'zod';
import type { ImageDetectionMessage } from './image-detection.message.js';
import { imageDetectionMessage } from './image-detection.message.js';
import type { PatchSessionMessage } from './patch-session.message.js';
import { patchSessionMessage } from './patch-session.message.js';
import type { StateReportMessage } from './state-report.message.js';
import { stateReportMessage } from './state-report.message.js';

/** Any message of a worker: a flat object with a `type`. */
export type WorkerMessage = ImageDetectionMessage | StateReportMessage | PatchSessionMessage;

export type WorkerMessageType = 'imageDetection' | 'stateReport' | 'patchSession';

/** Wire schemas by type. They keep unknown fields. */
export const workerMessageSchemas = {
  imageDetection: imageDetectionMessage,
  stateReport: stateReportMessage,
  patchSession: patchSessionMessage,
} satisfies Record<WorkerMessageType, ZodType>;
