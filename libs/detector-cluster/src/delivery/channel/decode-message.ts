import { parseJsonSafely } from '@detector-cluster/worker-protocol';
import { asError } from '../as-error.js';
import { MAX_TRACE_FIELD, type TraceFields } from '../tracing/trace-fields.js';
import { toDetection, type StreamEntry } from '../consumer/stream-entry.js';

/** Reads what a master published to a process; the error where no detection can be made of it. */
export function decodeMessage(message: string): StreamEntry | Error {
  try {
    const fields = parseJsonSafely(message) as Partial<Record<string, unknown>> | null;
    const audience = fields?.for;
    if (
      fields?.type !== 'detection' ||
      (audience !== 'owner' && audience !== 'listener' && audience !== 'both')
    )
      return new Error('not a message of the type "detection"');
    const detectionId = String(fields.id ?? '');
    const receivedAt = Date.parse(String(fields.timestamp));
    return {
      id: '',
      detectionId,
      workerUrl: String(fields.workerUrl ?? ''),
      audience,
      redelivered: false,
      receivedAt,
      detection: toDetection('', detectionId, receivedAt, fields.data),
      trace: traceOf(fields),
    };
  } catch (thrown) {
    return asError(thrown);
  }
}

function traceOf({ traceparent, tracestate }: Partial<Record<string, unknown>>): TraceFields | null {
  return isShort(traceparent)
    ? { traceparent, tracestate: isShort(tracestate) ? tracestate : undefined }
    : null;
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TRACE_FIELD;
}
