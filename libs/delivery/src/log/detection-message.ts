import { timestampToDate } from '@detector-cluster/worker-protocol';
import { parseJsonSafely } from '@detector-cluster/worker-protocol/internal';
import type { ImageDetectionResponse } from './detection.js';
import { toError } from '@detector-cluster/election/internal';

/** W3C trace context in the frames of workers and in the messages to processes. It is not checked. */
export interface TraceFields {
  readonly traceparent: string;
  readonly tracestate: string | undefined;
}

/** Longer values are ignored. W3C guarantees this length to senders. Characters. */
export const MAX_TRACE_FIELD = 512;

/** A detection that the master has received from a worker. */
export interface ReceivedDetection {
  /**
   * `<term>-<connection>-<sequence>`, or `<boot>-<seq>` when {@link isNumbered}: unique, and the same for every copy and every
   * attempt.
   */
  readonly detectionId: string;
  readonly workerUrl: string;
  readonly subscriptionIdentifier: string;
  /**
   * The worker has numbered it, and may have sent it before: the id is `<boot>-<seq>`, and `seq` rises from each detection of a
   * subscription to the next.
   */
  readonly isNumbered?: boolean;
  /** When the master received the frame, by its clock: milliseconds since 1970. */
  readonly receivedAt: number;
  /** The unchanged frame of the worker. A string costs less if the frame was decoded anyway. */
  readonly frame: Buffer | string;
  /** `ReceiveTrace.context` of the tracer. */
  readonly trace?: unknown;
}

/** A detection that was read from its entry. */
export interface DetectionMessage {
  readonly detectionId: string;
  readonly workerUrl: string;
  /** NaN if it cannot be read. */
  readonly receivedAt: number;
  /** The master has appended it again after it had been given up. */
  readonly redelivered: boolean;
  readonly detection: ImageDetectionResponse;
  /** The trace context that the master sent along. */
  readonly trace: TraceFields | null;
}

/** The message of an entry is not a detection. */
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

/** No text of the head can hold it: there, quotes are escaped. */
const BEFORE_FRAME = ',"data":';

/**
 * The message of a detection: one JSON object of `detectionId`, `workerUrl`, `receivedAt`, where they apply `redelivered`,
 * `traceparent` and `tracestate`, and at the end `data`, the worker's frame as it came. It is one text because a client spends
 * more on each field of an entry than on parsing all of it. It is one line, because the messages of a batch are separated by line
 * breaks: in JSON, a line break is never part of a value.
 */
export function encodeMessage(
  { detectionId, workerUrl, receivedAt, frame }: ReceivedDetection,
  redelivered: boolean,
  trace: TraceFields | null,
): string {
  const more =
    (redelivered ? ',"redelivered":true' : '') +
    (trace === null ? '' : `,${JSON.stringify(trace).slice(1, -1)}`);
  const text = frame.toString();
  const line = text.includes('\n') ? text.replaceAll('\n', ' ') : text;
  // The id consists of letters, digits and hyphens; the frame is JSON already.
  return `{"detectionId":"${detectionId}","workerUrl":${JSON.stringify(workerUrl)},"receivedAt":${receivedAt}${more}${BEFORE_FRAME}${line}}`;
}

/** @throws {UnreadableMessageError} */
export function decodeMessage(text: string): DetectionMessage {
  try {
    const fields = (parseJsonSafely(text) ?? {}) as Head;
    const receivedAt = typeof fields.receivedAt === 'number' ? fields.receivedAt : Number.NaN;
    return {
      detectionId: textOf(fields.detectionId),
      workerUrl: textOf(fields.workerUrl),
      receivedAt,
      redelivered: fields.redelivered === true,
      detection: toDetection(fields.data, receivedAt),
      trace: traceOf(fields),
    };
  } catch (thrown) {
    throw new UnreadableMessageError(textOf(splitMessage(text).head.detectionId), toError(thrown).message);
  }
}

/** Head and frame of a message whose frame may be unreadable. Without fields and frame if it is not a message. */
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

/** Checks a worker's frame and converts it into the argument of callbacks. */
function toDetection(value: unknown, receivedAt: number): ImageDetectionResponse {
  const frame = value as Head | null | undefined;
  const body = frame?.data as Partial<ImageDetectionResponse['data']> | null | undefined;
  if (typeof frame?.subscriptionIdentifier !== 'string' || typeof body !== 'object' || body === null)
    throw new Error('not an image detection');
  const taken = typeof frame.timestamp === 'string' ? timestampToDate(frame.timestamp) : new Date(Number.NaN);
  return {
    subscriptionIdentifier: frame.subscriptionIdentifier,
    timestamp: Number.isNaN(taken.getTime()) ? new Date(receivedAt) : taken,
    data: { ...(body as ImageDetectionResponse['data']), detection: body.detection ?? null },
  };
}

/** The trace context of a message; null if it has none. */
export function traceOf({ traceparent, tracestate }: Head): TraceFields | null {
  return isShort(traceparent)
    ? { traceparent, tracestate: isShort(tracestate) ? tracestate : undefined }
    : null;
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TRACE_FIELD;
}

/** The value if it is a text, otherwise ''. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
