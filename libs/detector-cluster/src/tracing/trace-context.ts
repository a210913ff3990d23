import {
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  trace,
  TraceFlags,
  type Context,
  type SpanContext,
} from '@opentelemetry/api';
import { MAX_TRACE_FIELD, type TraceFields } from '../delivery/detection-tracer.js';

/** Version, trace, span, flags; later versions may append what is not known yet. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** The received context, or a new one if it is not W3C trace context. Never throws. */
export function contextOf(traceparent: unknown, tracestate: unknown): Context {
  const parent = parentOf(traceparent, tracestate);
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
}

/** The headers with which another process continues a span; null for a span without a trace, as without an SDK. */
export function fieldsOf(span: SpanContext): TraceFields | null {
  if (!isSpanContextValid(span)) return null;
  const { traceId, spanId, traceFlags, traceState } = span;
  const flags = traceFlags & TraceFlags.SAMPLED ? '01' : '00';
  return {
    traceparent: `00-${traceId}-${spanId}-${flags}`,
    tracestate: boundedState(traceState?.serialize()),
  };
}

function parentOf(traceparent: unknown, tracestate: unknown): SpanContext | null {
  if (typeof traceparent !== 'string' || traceparent.length > MAX_TRACE_FIELD) return null;
  const found = TRACEPARENT.exec(traceparent);
  if (found === null) return null;
  const [, version, traceId, spanId, flags, more] = found as unknown as [
    string,
    string,
    string,
    string,
    string,
    string?,
  ];
  if (version === '00' && more !== undefined) return null;
  const span = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
  };
  if (!isSpanContextValid(span)) return null;
  const state = typeof tracestate === 'string' ? boundedState(tracestate) : undefined;
  return state === undefined ? span : { ...span, traceState: createTraceState(state) };
}

function boundedState(state: string | undefined): string | undefined {
  return state === undefined || state === '' || state.length > MAX_TRACE_FIELD ? undefined : state;
}
