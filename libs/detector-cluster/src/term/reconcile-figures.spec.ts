import { parseWorkerMessage } from '@detector-cluster/worker-protocol';
import { describe, expect, it } from 'vitest';
import { ReconcileFigures } from './reconcile-figures.js';

describe('ReconcileFigures', () => {
  it('has every reason, end and kind at 0 before the first event', () => {
    const { movesBegun, movesEnded, invalidFrames, regenerations, regenerationReasons } =
      new ReconcileFigures();
    for (const record of [movesBegun, movesEnded, invalidFrames, regenerations, regenerationReasons]) {
      expect(Object.keys(record).length).toBeGreaterThan(1);
      expect(new Set(Object.values(record))).toEqual(new Set([0]));
    }
  });

  it.each([
    ['not-json', '{'],
    ['not-an-object', '[]'],
    ['unknown-type', '{"type":"unheardOf"}'],
    ['invalid-imageDetection', '{"type":"imageDetection"}'],
    ['invalid-stateReport', '{"type":"stateReport"}'],
    ['invalid-patchSession', '{"type":"patchSession"}'],
    ['too-deep', '['.repeat(1_000) + ']'.repeat(1_000)],
    ['too-large', ' '.repeat(2 * 1024 * 1024)],
  ] as const)('counts frames that are %s', (kind, frame) => {
    const figures = new ReconcileFigures();
    const parsed = parseWorkerMessage(Buffer.from(frame));
    figures.invalidFrame('ws://a', parsed.ok ? 'none' : parsed.kind);
    expect(figures.invalidFrames[kind]).toBe(1);
  });

  it('counts all unknown kinds as one', () => {
    const figures = new ReconcileFigures();
    for (const kind of ['later', '__proto__', 'constructor', '']) figures.invalidFrame('ws://a', kind);
    expect(figures.invalidFrames.other).toBe(4);
    expect(Object.keys(figures.invalidFrames)).toEqual(Object.keys(new ReconcileFigures().invalidFrames));
  });

  it('counts invalid frames by worker, from 0, while the worker is configured', () => {
    const figures = new ReconcileFigures();
    for (const worker of ['ws://a', 'ws://b', 'ws://c']) figures.dialled(worker);
    for (const worker of ['ws://a', 'ws://b', 'ws://a']) figures.invalidFrame(worker, 'not-json');
    figures.dialled('ws://a');
    expect(Object.fromEntries(figures.invalidFramesOf)).toEqual({ 'ws://a': 2, 'ws://b': 1, 'ws://c': 0 });
    figures.keepWorkers(['ws://a', 'ws://c']);
    expect(Object.fromEntries(figures.invalidFramesOf)).toEqual({ 'ws://a': 2, 'ws://c': 0 });
    expect(figures.invalidFrames['not-json']).toBe(3);
    figures.invalidFrame('ws://c', 'too-short', 20);
    expect([figures.invalidFrames['too-short'], figures.invalidFramesOf.get('ws://c')]).toEqual([20, 20]);
  });

  it('counts a read once for each of its reasons, and all reasons of applications as one', () => {
    const figures = new ReconcileFigures();
    figures.regenerating(['camera.updated 7', 'display.created 1', 'resync', 'constructor']);
    figures.regenerating(['resync']);
    const counted = Object.entries(figures.regenerationReasons).filter(([, count]) => count > 0);
    expect(Object.fromEntries(counted)).toEqual({ change: 1, resync: 2 });
  });

  it('reports durations to subscribers until they unsubscribe', () => {
    const figures = new ReconcileFigures();
    const reported: unknown[] = [];
    const end = figures.observe({
      planned: (ms) => reported.push(['planned', ms]),
      regenerated: (ms, ok) => reported.push(['regenerated', ms, ok]),
      delivered: (ms) => reported.push(['delivered', ms]),
    });
    const record = () => {
      figures.planned(1);
      figures.regenerated(2, false);
      figures.delivered(3);
    };
    record();
    end();
    record();
    expect(reported).toEqual([
      ['planned', 1],
      ['regenerated', 2, false],
      ['delivered', 3],
    ]);
    expect(figures.regenerations).toEqual({ ok: 0, failed: 2 });
  });
});
