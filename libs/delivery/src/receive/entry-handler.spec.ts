import { describe, expect, it } from 'vitest';
import type { DetectionMeta, ImageDetectionResponse } from '../log/detection.js';
import { runCallbacks } from './entry-handler.js';

const detection: ImageDetectionResponse = {
  subscriptionIdentifier: 'd;c',
  timestamp: new Date(0),
  data: { detection: null, modelId: 1, modelName: 'm' },
};
const meta: DetectionMeta = {
  detectionId: '1',
  workerUrl: 'w',
  receivedAt: 0,
  attempt: 0,
  redelivered: false,
  signal: new AbortController().signal,
};

const rejects = () => Promise.reject(new Error('rejected'));
const throwsText = () => {
  throw 'text';
};
const hangs = () => new Promise(() => undefined);

describe('runCallbacks', () => {
  it('answers synchronously when every callback is synchronous', () => {
    const thrown = new Error('x');
    const bad = () => {
      throw thrown;
    };
    expect(runCallbacks([() => 1, bad], detection, meta, 50)).toEqual([{ callback: bad, error: thrown }]);
    expect(runCallbacks([], detection, meta, 50)).toEqual([]);
  });

  it('collects the callbacks that reject, throw something that is no error, or take too long, and no others', async () => {
    const callbacks = [rejects, throwsText, hangs, async () => undefined];
    const failures = await runCallbacks(callbacks, detection, meta, 20);
    const messages = new Map(failures.map(({ callback, error }) => [callback, error.message]));
    expect(messages.get(rejects)).toBe('rejected');
    expect(messages.get(throwsText)).toBe('text');
    expect(messages.get(hangs)).toContain('20 ms');
    expect(failures).toHaveLength(3);
  });

  it('runs them side by side', async () => {
    const events = new EventTarget();
    const waits = () => new Promise((resolve) => events.addEventListener('go', resolve));
    const frees = () => events.dispatchEvent(new Event('go'));
    expect(await runCallbacks([waits, frees], detection, meta, 1_000)).toEqual([]);
  });
});
