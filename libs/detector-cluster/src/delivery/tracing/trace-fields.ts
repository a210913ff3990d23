/** W3C trace context as it travels: in the frames of workers and in the messages to processes. Unchecked. */
export interface TraceFields {
  readonly traceparent: string;
  readonly tracestate: string | undefined;
}

/** What is longer is not read: what W3C lets a sender rely on. Characters. */
export const MAX_TRACE_FIELD = 512;
