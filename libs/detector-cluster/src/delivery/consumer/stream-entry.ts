import { parseJsonSafely, timestampToDate } from '@detector-cluster/worker-protocol';
import type { ImageDetectionResponse } from '../../model/detection.js';
import { MAX_TRACE_FIELD, type TraceFields } from '../tracing/trace-fields.js';
import type { DetectionAudience } from '../detection-audience.js';

/** One entry of a process stream, decoded. */
export interface StreamEntry {
  /** `<term>-<sequence>` */
  readonly id: string;
  readonly detectionId: string;
  readonly workerUrl: string;
  readonly audience: DetectionAudience;
  readonly redelivered: boolean;
  /** When the master had it, by its clock: milliseconds since 1970, NaN where that is not readable. */
  readonly receivedAt: number;
  readonly detection: ImageDetectionResponse;
  /** What the master sent along while it traced. */
  readonly trace: TraceFields | null;
}

/** An entry of which no detection can be made. */
export class UnreadableEntryError extends Error {
  override readonly name = 'UnreadableEntryError';

  constructor(
    readonly entryId: string,
    readonly detectionId: string,
    problem: string,
  ) {
    super(`entry ${entryId}: ${problem}`);
  }
}

/** An entry as Redis returns it: its id, and names and values in turn; no fields when it was deleted while it was pending. */
export type RawEntry = readonly [id: Buffer, flat: readonly Buffer[] | null];

/** Decodes the fields of an entry; throws {@link UnreadableEntryError}. Converts only what is needed: this is the hot path. */
export function decodeEntry(id: string, flat: readonly Buffer[], seenBefore: boolean): StreamEntry {
  const fields: Partial<Record<string, Buffer>> = {};
  for (let i = 0; i + 1 < flat.length; i += 2) fields[flat[i]!.toString('latin1')] = flat[i + 1];
  const detectionId = fields.id?.toString() ?? '';
  const audience = fields.for?.toString('latin1') ?? '';
  if (audience !== 'owner' && audience !== 'listener' && audience !== 'both')
    throw new UnreadableEntryError(id, detectionId, `unknown audience ${JSON.stringify(audience)}`);
  const receivedAt = Date.parse(fields.timestamp?.toString('latin1') ?? '');
  return {
    id,
    detectionId,
    workerUrl: fields.workerUrl?.toString() ?? '',
    audience,
    redelivered: seenBefore || fields.redelivered?.toString('latin1') === '1',
    receivedAt,
    detection: decodeFrame(id, detectionId, receivedAt, fields.data),
    trace: decodeTrace(fields.traceparent, fields.tracestate),
  };
}

function decodeTrace(traceparent: Buffer | undefined, tracestate: Buffer | undefined): TraceFields | null {
  if (traceparent === undefined || traceparent.length > MAX_TRACE_FIELD) return null;
  const short = tracestate !== undefined && tracestate.length <= MAX_TRACE_FIELD;
  return {
    traceparent: traceparent.toString('latin1'),
    tracestate: short ? tracestate.toString('latin1') : undefined,
  };
}

function decodeFrame(
  id: string,
  detectionId: string,
  receivedAt: number,
  data?: Buffer,
): ImageDetectionResponse {
  let frame: unknown;
  try {
    frame = parseJsonSafely(data?.toString() ?? '');
  } catch (error) {
    throw new UnreadableEntryError(id, detectionId, (error as Error).message);
  }
  return toDetection(id, detectionId, receivedAt, frame);
}

/** Checks a worker's frame and makes of it what callbacks get; throws {@link UnreadableEntryError}. */
export function toDetection(
  id: string,
  detectionId: string,
  receivedAt: number,
  value: unknown,
): ImageDetectionResponse {
  const frame = value as Partial<Record<string, unknown>> | null | undefined;
  const body = frame?.data as Partial<ImageDetectionResponse['data']> | null | undefined;
  if (typeof frame?.subscriptionIdentifier !== 'string' || typeof body !== 'object' || body === null)
    throw new UnreadableEntryError(id, detectionId, 'not an image detection');
  const taken = typeof frame.timestamp === 'string' ? timestampToDate(frame.timestamp) : new Date(Number.NaN);
  return {
    subscriptionIdentifier: frame.subscriptionIdentifier,
    timestamp: Number.isNaN(taken.getTime()) ? new Date(receivedAt) : taken,
    data: { ...(body as ImageDetectionResponse['data']), detection: body.detection ?? null },
  };
}
