import { isImageDetection } from '../messages/is-image-detection.js';
import type { WorkerMessage, WorkerMessageType } from '../messages/worker-message.js';
import { workerMessageSchemas } from '../messages/worker-message.js';
import { issueDetail } from './issue-detail.js';
import { parseJsonFrame } from './parse-json-frame.js';
import type { WorkerMessageResult } from './parse-result.js';
import { unknownTypeDetail } from './unknown-type-detail.js';

const isKnown = (type: string): type is WorkerMessageType => Object.hasOwn(workerMessageSchemas, type);

/**
 * Parses one frame of a worker. Never throws.
 *
 * Unknown fields are kept; keys that poison prototypes are dropped.
 */
export function parseWorkerMessage(raw: string | Buffer): WorkerMessageResult {
  const frame = parseJsonFrame(raw);
  if (!frame.ok) return frame;
  const { type, value } = frame;
  if (isImageDetection(value)) return { ok: true, message: value };
  if (!isKnown(type)) return { ok: false, kind: 'unknown-type', detail: unknownTypeDetail(type) };
  const result = workerMessageSchemas[type].safeParse(value);
  return result.success
    ? { ok: true, message: result.data as WorkerMessage }
    : { ok: false, kind: `invalid-${type}`, detail: issueDetail(result.error) };
}
