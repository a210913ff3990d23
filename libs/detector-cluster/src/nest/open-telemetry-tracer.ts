import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  createTraceState,
  isSpanContextValid,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
  type SpanContext,
} from '@opentelemetry/api';
import { type ReceivedDetection } from '@detector-cluster/delivery';
import {
  MAX_TRACE_FIELD,
  type TraceFields,
  type LogAddress,
  type DetectionTracer,
  type ProcessTrace,
  type ReceiveTrace,
  type SendOutcome,
  type SendTrace,
  type TracedEntry,
  type TracedFrame,
} from '@detector-cluster/delivery/internal';
import { redactText } from '../shared/redact-url.js';
import type { ClusterKeys } from '../shared/cluster-keys.js';

const LOSSES: ReadonlySet<SendOutcome> = new Set<SendOutcome>(['refused', 'dropped', 'discarded']);

/** One span for a frame at the master, one for each log it is sent to, one for the callbacks of the process that reads the log. */
export class OpenTelemetryTracer implements DetectionTracer {
  /** Ids of processes and numbers of partitions would make too many names of spans. */
  private readonly templates: { readonly listener: string; readonly partition: string };

  constructor(
    private readonly tracer: Tracer,
    keys: Pick<ClusterKeys, 'partition' | 'slave'>,
  ) {
    this.templates = {
      listener: keys.slave('{processId}'),
      partition: keys.partition(0).replace('{0}', '{partition}'),
    };
  }

  received(workerUrl: string, detectionId: string, frame: TracedFrame): ReceiveTrace {
    const parent = contextOf(frame.traceparent, frame.tracestate);
    const attributes = {
      'network.protocol.name': 'websocket',
      ...subject(workerUrl, frame.subscriptionIdentifier, detectionId),
    };
    const span = this.tracer.startSpan('receive detection', { kind: SpanKind.CONSUMER, attributes }, parent);
    return { context: trace.setSpan(parent, span), end: () => span.end() };
  }

  resumed({ traceparent, tracestate }: TraceFields): Context {
    return contextOf(traceparent, tracestate);
  }

  sending(detection: ReceivedDetection, log: LogAddress): SendTrace {
    const { detectionId, subscriptionIdentifier, workerUrl } = detection;
    const attributes = {
      ...this.destination('send', log),
      ...subject(workerUrl, subscriptionIdentifier, detectionId),
      'messaging.message.body.size': detection.frame.length,
    };
    const options = { kind: SpanKind.PRODUCER, attributes };
    const parent = (detection.trace as Context | undefined) ?? ROOT_CONTEXT;
    const span = this.tracer.startSpan(`send ${this.templateOf(log)}`, options, parent);
    return {
      fields: fieldsOf(span.spanContext()),
      end: (outcome) => {
        span.setAttribute('detector.outcome', outcome);
        if (LOSSES.has(outcome)) fail(span, outcome, `the detection was not accepted: ${outcome}`);
        span.end();
      },
    };
  }

  processing(entry: TracedEntry, log: LogAddress): ProcessTrace {
    const { detection, detectionId, redelivered, workerUrl } = entry;
    const attributes = {
      ...this.destination('process', log),
      ...subject(workerUrl, detection.subscriptionIdentifier, detectionId),
      'detector.redelivered': redelivered,
    };
    const parent = contextOf(entry.trace?.traceparent, entry.trace?.tracestate);
    const options = { kind: SpanKind.CONSUMER, attributes };
    const span = this.tracer.startSpan(`process ${this.templateOf(log)}`, options, parent);
    const own = trace.setSpan(parent, span);
    return {
      run: (callbacks) => context.with(own, callbacks),
      failed: ({ name, message, stack }, attempt) => {
        span.addEvent('exception', {
          'exception.type': name,
          'exception.message': redactText(message),
          ...(stack !== undefined && { 'exception.stacktrace': redactText(stack) }),
          'detector.attempt': attempt,
        });
      },
      end: (outcome, attempts, error) => {
        span.setAttributes({ 'detector.outcome': outcome, 'detector.attempts': attempts });
        if (outcome === 'dead-letter') fail(span, error?.name ?? outcome, error?.message ?? outcome);
        span.end();
      },
    };
  }

  private destination(operation: 'send' | 'process', log: LogAddress): Attributes {
    return {
      'messaging.system': 'redis',
      'messaging.operation.name': operation,
      'messaging.operation.type': operation,
      'messaging.destination.name': log.stream,
      'messaging.destination.template': this.templateOf(log),
      ...(log.partition !== null && { 'messaging.destination.partition.id': String(log.partition) }),
    };
  }

  private templateOf({ partition }: LogAddress): string {
    return partition === null ? this.templates.listener : this.templates.partition;
  }
}

function subject(worker: string, subscription: string, detectionId: string): Attributes {
  return {
    'messaging.message.id': detectionId,
    'detector.worker': worker,
    'detector.subscription': subscription,
  };
}

function fail(span: Span, type: string, message: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, message: redactText(message) });
}

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
