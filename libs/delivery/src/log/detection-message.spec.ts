import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeMessage,
  encodeMessage,
  splitMessage,
  UnreadableMessageError,
  type ReceivedDetection,
} from './detection-message.js';

/** Any text, and texts that look like the end of the head. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(',"data":', '","data":{"id":"x"},"redelivered":true', '"', '\\', '\\"', '}', '\u2028'),
);

const detectionId = fc.stringMatching(/^[0-9]{1,13}-[0-9]{1,5}-[0-9]{1,9}$/);

const detectionOf = (
  frame: string | Buffer,
  { id = '1-1-1', workerUrl = 'ws://w' } = {},
): ReceivedDetection => ({
  detectionId: id,
  workerUrl,
  frame,
  subscriptionIdentifier: 'd;c',
  receivedAt: 1_767_323_045_678,
});

/** The time of a detection whose worker has sent this time. */
function timeOf(timestamp: unknown): Date {
  const frame = JSON.stringify({ subscriptionIdentifier: 'd;c', timestamp, data: {} });
  return decodeMessage(encodeMessage(detectionOf(frame), false, null)).detection.timestamp;
}

describe('the message of a detection', () => {
  it('carries the frame unchanged, whatever the texts before it contain', () => {
    fc.assert(
      fc.property(
        detectionId,
        text,
        fc.boolean(),
        fc.option(fc.record({ traceparent: text, tracestate: fc.option(text, { nil: undefined }) })),
        text,
        fc.object(),
        (id, workerUrl, redelivered, trace, subscriptionIdentifier, detection) => {
          const frame = JSON.stringify({ subscriptionIdentifier, data: { detection } });
          const message = encodeMessage(detectionOf(frame, { id, workerUrl }), redelivered, trace);
          expect(splitMessage(message)).toMatchObject({ frame, head: { workerUrl } });
          expect(decodeMessage(message)).toMatchObject({
            detectionId: id,
            workerUrl,
            redelivered,
            trace,
            receivedAt: 1_767_323_045_678,
            detection: { subscriptionIdentifier },
          });
        },
      ),
    );
  });

  it('begins with the detection id and ends with the frame', () => {
    const frame = Buffer.from('{ "subscriptionIdentifier": "d;\u00fc", "data": {} }');
    expect(encodeMessage(detectionOf(frame), false, null)).toBe(
      '{"detectionId":"1-1-1","workerUrl":"ws://w","receivedAt":1767323045678,' +
        '"data":{ "subscriptionIdentifier": "d;\u00fc", "data": {} }}',
    );
    expect(encodeMessage(detectionOf('{}'), true, { traceparent: '00-1', tracestate: undefined })).toBe(
      '{"detectionId":"1-1-1","workerUrl":"ws://w","receivedAt":1767323045678,"redelivered":true,"traceparent":"00-1",' +
        '"data":{}}',
    );
  });

  it('takes the time of the detection from the worker, and its arrival where the worker sends no readable time', () => {
    expect(timeOf('2025-07-13T12:34:56.789Z')).toEqual(new Date('2025-07-13T12:34:56.789Z'));
    for (const unreadable of [undefined, 7, 'yesterday'])
      expect(timeOf(unreadable)).toEqual(new Date(1_767_323_045_678));
  });

  it('is one line, also of a frame that has several', () => {
    const frame = '{\n  "subscriptionIdentifier": "d;c",\n  "data": { "detection": { "a": "x\\ny" } }\n}';
    const message = encodeMessage(detectionOf(frame), false, null);
    expect(message).not.toContain('\n');
    expect(decodeMessage(message).detection.data.detection).toEqual({ a: 'x\ny' });
  });

  it.each(['{', 'null', '1', '[]', '{"subscriptionIdentifier":"d;c","data":null}', '{"data":{}}'])(
    'names the detection when its frame is %s',
    (frame) => {
      const message = encodeMessage(detectionOf(frame, { id: '7-8-9' }), false, null);
      expect(() => decodeMessage(message)).toThrow(UnreadableMessageError);
      expect(() => decodeMessage(message)).toThrow(expect.objectContaining({ detectionId: '7-8-9' }));
      expect(splitMessage(message).frame).toBe(frame);
    },
  );

  it.each(['', '{', 'null', '[]', '"x"', '{"detectionId":"1-1-1"}', ',"data":1'])('is not %j', (message) => {
    expect(() => decodeMessage(message)).toThrow(UnreadableMessageError);
    expect(splitMessage(message)).toEqual({ head: {}, frame: '' });
  });

  it('causes no other error, whatever the text is', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.json()), (message) => {
        splitMessage(message);
        try {
          decodeMessage(message);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableMessageError);
        }
      }),
    );
  });
});
