import { parseJsonSafely, timestampToDate } from '@detector-cluster/worker-protocol';
import type { ImageDetectionResponse } from '../../model/detection.js';
import { asError } from '../as-error.js';
import type { DetectionAudience } from '../detection-audience.js';
import type { OutgoingEntry } from '../router/routed-detection.js';
import { MAX_TRACE_FIELD, type TraceFields } from '../tracing/trace-fields.js';

/** A detection as a process gets it. */
export interface DetectionMessage {
  readonly detectionId: string;
  readonly workerUrl: string;
  readonly audience: DetectionAudience;
  /** When the master had it, by its clock: milliseconds since 1970, NaN where that is not readable. */
  readonly receivedAt: number;
  readonly detection: ImageDetectionResponse;
  /** What the master sent along while it traced. */
  readonly trace: TraceFields | null;
}

/** A message of which no detection can be made. */
export class UnreadableMessageError extends Error {
  override readonly name = 'UnreadableMessageError';

  constructor(
    readonly detectionId: string,
    problem: string,
  ) {
    super(problem);
  }
}

type Head = Partial<Record<string, unknown>>;

/**
 * What a master gives to a process, in an entry of its stream or over its channel: one JSON object of `id`, `type`, `for`,
 * `workerUrl`, `timestamp`, where it is traced `traceparent` and `tracestate`, and at the end `data`, the worker's frame as it
 * came. One text, because a client spends more on each field of an entry than on parsing all of it.
 */
export function encodeMessage({ audience, detection, trace }: OutgoingEntry): string {
  const { detectionId, frame, timestamp, workerUrl } = detection;
  const fields = { id: detectionId, type: 'detection', for: audience, workerUrl, timestamp };
  const head = JSON.stringify(trace?.fields ? { ...fields, ...trace.fields } : fields);
  // The frame is JSON already.
  return `${head.slice(0, -1)}${BEFORE_FRAME}${frame.toString()}}`;
}

/** No text of the head can hold it: there, quotes are escaped. Lua scripts look for it, too. */
const BEFORE_FRAME = ',"data":';

/** Throws {@link UnreadableMessageError}. */
export function decodeMessage(text: string): DetectionMessage {
  const fields = parse(text);
  const audience = fields.for;
  if (fields.type !== 'detection') throw unreadable(text, 'not a message of the type "detection"');
  if (!isAudience(audience)) throw unreadable(text, `unknown audience ${JSON.stringify(audience)}`);
  const receivedAt = Date.parse(textOf(fields.timestamp));
  return {
    detectionId: textOf(fields.id),
    workerUrl: textOf(fields.workerUrl),
    audience,
    receivedAt,
    detection: toDetection(text, receivedAt, fields.data),
    trace: traceOf(fields),
  };
}

/** The parts of a message of which the frame may be unreadable; no fields and no frame where it is none. */
export function splitMessage(text: string): { head: Head; frame: string } {
  const end = text.indexOf(BEFORE_FRAME);
  if (end < 0) return { head: {}, frame: '' };
  try {
    const head = parseJsonSafely(`${text.slice(0, end)}}`) as Head;
    return { head, frame: text.slice(end + BEFORE_FRAME.length, -1) };
  } catch {
    return { head: {}, frame: '' };
  }
}

export function isAudience(value: unknown): value is DetectionAudience {
  return value === 'owner' || value === 'listener' || value === 'both';
}

function parse(text: string): Head {
  try {
    return (parseJsonSafely(text) ?? {}) as Head;
  } catch (thrown) {
    throw unreadable(text, asError(thrown).message);
  }
}

function unreadable(text: string, problem: string): UnreadableMessageError {
  return new UnreadableMessageError(textOf(splitMessage(text).head.id), problem);
}

/** Checks a worker's frame and makes of it what callbacks get. */
function toDetection(text: string, receivedAt: number, value: unknown): ImageDetectionResponse {
  const frame = value as Head | null | undefined;
  const body = frame?.data as Partial<ImageDetectionResponse['data']> | null | undefined;
  if (typeof frame?.subscriptionIdentifier !== 'string' || typeof body !== 'object' || body === null)
    throw unreadable(text, 'not an image detection');
  const taken = typeof frame.timestamp === 'string' ? timestampToDate(frame.timestamp) : new Date(Number.NaN);
  return {
    subscriptionIdentifier: frame.subscriptionIdentifier,
    timestamp: Number.isNaN(taken.getTime()) ? new Date(receivedAt) : taken,
    data: { ...(body as ImageDetectionResponse['data']), detection: body.detection ?? null },
  };
}

function traceOf({ traceparent, tracestate }: Head): TraceFields | null {
  return isShort(traceparent)
    ? { traceparent, tracestate: isShort(tracestate) ? tracestate : undefined }
    : null;
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TRACE_FIELD;
}

/** The value where it is a text, else ''. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
