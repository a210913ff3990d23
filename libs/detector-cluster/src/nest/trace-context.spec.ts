import { createTraceState, ROOT_CONTEXT, trace, TraceFlags } from '@opentelemetry/api';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextOf, fieldsOf } from './open-telemetry-tracer.js';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const read = (traceparent: unknown, tracestate?: unknown) =>
  trace.getSpanContext(contextOf(traceparent, tracestate));

describe('trace context', () => {
  it('is read in the format of W3C, also in a later version', () => {
    expect(read(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, traceFlags: 1, isRemote: true });
    expect(read(`00-${traceId}-${spanId}-00`)).toMatchObject({ traceFlags: 0 });
    expect(read(`cc-${traceId}-${spanId}-09-what-comes-later`)).toMatchObject({ traceId, traceFlags: 1 });
  });

  it('comes back as it was sent, with the state', () => {
    const traceState = createTraceState('vendor=a,other=b');
    for (const traceFlags of [TraceFlags.NONE, TraceFlags.SAMPLED]) {
      const { traceparent, tracestate } = fieldsOf({ traceId, spanId, traceFlags, traceState })!;
      const found = read(traceparent, tracestate)!;
      expect(found).toMatchObject({ traceId, spanId, traceFlags });
      expect(found.traceState?.serialize()).toBe('vendor=a,other=b');
    }
  });

  it.each([
    ['nothing', undefined],
    ['no text', 7],
    ['an empty text', ''],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['a span of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['capitals', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['the version that there is not', `ff-${traceId}-${spanId}-01`],
    ['more than version 00 has', `00-${traceId}-${spanId}-01-more`],
    ['a line break', `00-${traceId}-${spanId}-01\n`],
    ['too much', `cc-${traceId}-${spanId}-01-${'x'.repeat(1_000_000)}`],
  ])('starts a new trace for %s', (_, traceparent) => {
    expect(contextOf(traceparent, 'a=b')).toBe(ROOT_CONTEXT);
  });

  it('keeps the trace and leaves out a state that is broken or too long', () => {
    const parent = `00-${traceId}-${spanId}-01`;
    for (const state of [7, '', 'x'.repeat(1_000_000), `a=${'b'.repeat(600)}`])
      expect(read(parent, state)).toEqual({ traceId, spanId, traceFlags: 1, isRemote: true });
    expect(read(parent, 'no pair,good=1,\u0000=x')?.traceState?.serialize()).toBe('good=1');
  });

  it('is not sent for a span of no trace, nor a state that is too long', () => {
    expect(fieldsOf({ traceId: '0'.repeat(32), spanId, traceFlags: 1 })).toBeNull();
    const members = Array.from({ length: 8 }, (_, i) => `key${i}=${'v'.repeat(100)}`).join(',');
    const traceState = { ...createTraceState(), serialize: () => members };
    expect(fieldsOf({ traceId, spanId, traceFlags: 1, traceState: traceState as never })).toEqual({
      traceparent: `00-${traceId}-${spanId}-01`,
      tracestate: undefined,
    });
  });

  it('never throws, for any input', () => {
    const some = fc.oneof(
      fc.anything(),
      fc.string(),
      fc.stringMatching(/^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-.*$/),
    );
    fc.assert(
      fc.property(some, some, (traceparent, tracestate) => {
        const found = read(traceparent, tracestate);
        if (found !== undefined) expect(fieldsOf(found)?.traceparent).toContain(found.traceId);
      }),
      { numRuns: 2_000 },
    );
  });
});
