import { describe, expect, it } from 'vitest';
import { desiredFromDisplays, type DisplayRow } from './desired-from-displays.js';
import { explicitSubscription } from './subscription-requests.js';
import { NetworkPolicy } from '../shared/network-policy.js';
import { resolveWorkers } from '../workers/worker-definition.js';
import { DECEIVING } from './plain-text.fixture.js';
import { plainTextProblem, InvalidInputError } from '@detector-cluster/placement/internal';

const noCrop = { cropX1: null, cropY1: null, cropX2: null, cropY2: null };

const row = (displayId: string, cameraIdentifier: string, name: string): DisplayRow => ({
  displayId,
  createdAt: new Date(0),
  ...noCrop,
  camera: { cameraIdentifier, rtspUrl: 'rtsp://h/1', snapshotUrl: null, snapshotInterval: null, ...noCrop },
  playlist: { model: { id: 3, name } },
});

const input = { rtspUrl: 'rtsp://h/1', modelUrl: 'https://h/m', modelId: 1, modelName: 'm' };

describe('a name', () => {
  it.each([
    'cam-001',
    'Front door 7',
    'Einfahrt Süd',
    'камера 7',
    'カメラ 1',
    '正门',
    'מצלמה',
    'مدخل',
    'हिन्दी',
    '한국',
    'a\u0323\u0307'.normalize('NFC'),
    '🎥',
    "O'Neill & Sons (2)",
  ])('may be %s', (text) => {
    expect(plainTextProblem(text)).toBeNull();
  });

  describe.each(DECEIVING)('%j', (text, problem) => {
    it('is refused', () => {
      expect(plainTextProblem(text)).toContain(problem);
    });

    it.each([
      ['subscriptionIdentifier (displayId)', { subscriptionIdentifier: `${text};c` }],
      ['subscriptionIdentifier (cameraId)', { subscriptionIdentifier: `d;${text}` }],
      ['modelName', { subscriptionIdentifier: 'd;c', modelName: text }],
    ])('in a call, with the field %s', (field, given) => {
      const call = () => explicitSubscription({ ...input, ...given }, new Date(0), NetworkPolicy.default);
      expect(call).toThrow(InvalidInputError);
      expect(call).toThrow(`${field}: `);
      expect(call).toThrow(problem);
    });

    it.each([
      ['invalid-display-id', row(text, 'c', 'm')],
      ['invalid-camera-id', row('d', text, 'm')],
      ['invalid-model', row('d', 'c', text)],
    ])('in a row, which is skipped as %s', (reason, display) => {
      const { subscriptions, skipped } = desiredFromDisplays([display]);
      expect(subscriptions).toEqual([]);
      expect(skipped).toEqual([
        expect.objectContaining({ reason, detail: expect.stringContaining(problem) }),
      ]);
    });

    it('in the URL and the labels of a worker, with its position', () => {
      const problems: string[] = [];
      const labels = [{ [text]: 'a' }, { a: text }];
      const workers = labels.map((each, i) => ({ url: `ws://w${i}:8000`, labels: each }));
      const url = text.startsWith(' ') ? ' ws://w:8000' : `ws://w:8000/${text}`;
      resolveWorkers([...workers, url], problems, NetworkPolicy.default);
      expect(problems.map((each) => each.slice(0, 10))).toEqual(['workers[0]', 'workers[1]', 'workers[2]']);
      for (const each of problems) expect(each).toContain(problem);
    });
  });
});
