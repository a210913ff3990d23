import { parseWorkerMessage } from '@detector-cluster/worker-protocol';
import { describe, expect, it } from 'vitest';
import { identifierOf } from '../cluster/plan-world.js';
import { DetectionFrames, dueAtOf, numberOf, WIRE_BYTES, type BenchDetection } from './detection-frames.js';
import { FRAME_BYTES, SUBSCRIPTIONS } from './workload.js';

function read(text: string) {
  const parsed = parseWorkerMessage(text);
  if (!parsed.ok || parsed.message.type !== 'imageDetection') throw new Error(`no detection: ${text}`);
  const { subscriptionIdentifier, data } = parsed.message;
  const detection = data.detection as unknown as BenchDetection;
  return { subscriptionIdentifier, n: numberOf(detection), due: dueAtOf(detection) };
}

describe('DetectionFrames', () => {
  const frames = new DetectionFrames();

  it.each([0, 1, SUBSCRIPTIONS - 1, SUBSCRIPTIONS, 7_654_321])(
    'writes detection %i with its due time',
    (n) => {
      const expected = { subscriptionIdentifier: identifierOf(n % SUBSCRIPTIONS), n, due: 123_456.789 };
      frames.touch();
      const bytes = Buffer.alloc(3 + WIRE_BYTES);
      frames.write(bytes, 3, n, 123_456.789);
      expect(bytes[3]).toBe(0x81);
      expect(bytes.readUInt16BE(5)).toBe(FRAME_BYTES);
      expect(read(bytes.toString('utf8', 7))).toEqual(expected);
    },
  );
});
