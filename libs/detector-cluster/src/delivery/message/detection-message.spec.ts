import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DetectionAudience } from '../detection-audience.js';
import type { OutgoingEntry } from '../router/routed-detection.js';
import { decodeMessage, encodeMessage, splitMessage, UnreadableMessageError } from './detection-message.js';

const AUDIENCES: DetectionAudience[] = ['owner', 'listener', 'both'];

/** Any text, and such as looks like the end of the head. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(',"data":', '","data":{"id":"x"},"for":"owner', '"', '\\', '\\"', '}', '\u2028'),
);

const outgoing = (
  frame: string | Buffer,
  { detectionId = '1-1-1', workerUrl = 'ws://w', audience = 'owner' as DetectionAudience } = {},
): OutgoingEntry => ({
  detection: {
    detectionId,
    workerUrl,
    frame,
    subscriptionIdentifier: 'd;c',
    timestamp: '2026-01-02T03:04:05.678Z',
  },
  audience,
  bytes: frame.length,
  trace: undefined,
  redelivered: false,
  sequence: 1,
});

describe('the message of a detection', () => {
  it('brings the frame as it came, whatever the texts before it hold', () => {
    fc.assert(
      fc.property(
        text,
        text,
        fc.constantFrom(...AUDIENCES),
        text,
        fc.object(),
        (detectionId, workerUrl, audience, subscriptionIdentifier, detection) => {
          const frame = JSON.stringify({ subscriptionIdentifier, data: { detection } });
          const message = encodeMessage(outgoing(frame, { detectionId, workerUrl, audience }));
          expect(splitMessage(message)).toMatchObject({ frame, head: { workerUrl, for: audience } });
          expect(decodeMessage(message)).toMatchObject({
            detectionId,
            workerUrl,
            audience,
            receivedAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
            detection: { subscriptionIdentifier },
          });
        },
      ),
    );
  });

  it('begins with its id, and ends with the frame', () => {
    const frame = Buffer.from('{ "subscriptionIdentifier": "d;\u00fc", "data": {} }');
    expect(encodeMessage(outgoing(frame))).toBe(
      '{"id":"1-1-1","type":"detection","for":"owner","workerUrl":"ws://w","timestamp":"2026-01-02T03:04:05.678Z",' +
        '"data":{ "subscriptionIdentifier": "d;\u00fc", "data": {} }}',
    );
  });

  it.each(['{', 'null', '1', '[]', '{"subscriptionIdentifier":"d;c","data":null}', '{"data":{}}'])(
    'says which detection it is when its frame is %s',
    (frame) => {
      const message = encodeMessage(outgoing(frame, { detectionId: '7-8-9' }));
      expect(() => decodeMessage(message)).toThrow(UnreadableMessageError);
      expect(() => decodeMessage(message)).toThrow(expect.objectContaining({ detectionId: '7-8-9' }));
      expect(splitMessage(message).frame).toBe(frame);
    },
  );

  it.each([
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '{"type":"detection"}',
    '{"type":"detection","for":"all"}',
    ',"data":1',
  ])('is not %j', (message) => {
    expect(() => decodeMessage(message)).toThrow(UnreadableMessageError);
    expect(splitMessage(message)).toEqual({ head: {}, frame: '' });
  });

  it('never throws anything else', () => {
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
