import type { CameraConnection } from './worker-message.js';
import { MAX_FRAME_BYTES } from './protocol-constants.js';
import { parseWorkerMessage, type WorkerMessageResult } from './frames.js';

const KEY = Buffer.from('"cameraConnections"');
const [QUOTE, BACKSLASH, OPEN, CLOSE, COLON] = [...Buffer.from('"\\[]:')] as [
  number,
  number,
  number,
  number,
  number,
];

interface KnownList {
  readonly bytes: Buffer;
  readonly value: CameraConnection[];
}

/**
 * Parses the frames of one worker as {@link parseWorkerMessage} does. If the list of cameras in a state report has the same
 * bytes as in the previous report, the result has the same array. That saves time: the list is most of a report, and rarely changes.
 */
export class WorkerMessageReader {
  private known: KnownList | null = null;

  read(frame: Buffer): WorkerMessageResult {
    const start = frame.length > MAX_FRAME_BYTES ? -1 : startOfList(frame);
    const same = start < 0 ? null : this.withKnownList(frame, start);
    if (same !== null) return same;
    const result = parseWorkerMessage(frame);
    if (result.ok && result.message.type === 'stateReport') {
      const bytes = start < 0 ? null : listAt(frame, start);
      this.known =
        bytes === null || hasEscapes(frame, start, start + bytes.length)
          ? null
          : { bytes, value: result.message.cameraConnections };
    }
    return result;
  }

  private withKnownList(frame: Buffer, start: number): WorkerMessageResult | null {
    const { known } = this;
    if (known === null) return null;
    const end = start + known.bytes.length;
    if (end > frame.length || known.bytes.compare(frame, start, end) !== 0) return null;
    if (hasEscapes(frame, start, end)) return null;
    const rest = Buffer.concat([frame.subarray(0, start), Buffer.from('[]'), frame.subarray(end)]);
    const result = parseWorkerMessage(rest);
    if (!result.ok || result.message.type !== 'stateReport' || result.message.cameraConnections.length > 0)
      return null;
    return { ok: true, message: { ...result.message, cameraConnections: known.value } };
  }
}

/** Where the list begins; -1 if that is uncertain, e.g. because the key occurs twice. */
function startOfList(frame: Buffer): number {
  const at = frame.indexOf(KEY);
  if (at < 0 || frame.indexOf(KEY, at + 1) >= 0) return -1;
  const start = at + KEY.length + 1;
  return frame[start - 1] === COLON && frame[start] === OPEN ? start : -1;
}

/** A key can contain escapes. They are refused outside of the list, so that a key cannot occur twice. */
const hasEscapes = (frame: Buffer, start: number, end: number): boolean =>
  frame.subarray(0, start).includes(BACKSLASH) || frame.subarray(end).includes(BACKSLASH);

/** A copy of the array of valid JSON that begins at `start`. */
function listAt(frame: Buffer, start: number): Buffer | null {
  let depth = 0;
  let inString = false;
  for (let i = start; i < frame.length; i++) {
    const byte = frame[i];
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN) depth++;
    else if (byte === CLOSE && --depth === 0) return Buffer.from(frame.subarray(start, i + 1));
  }
  return null;
}
