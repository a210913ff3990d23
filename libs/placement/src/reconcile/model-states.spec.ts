import { describe, expect, it } from 'vitest';
import type { DesiredEntry, ReportedStream, TrackedSubscription, WorkerObservation } from './observation.js';
import { stepSubscription, type StepResult } from './subscription-step.js';

const WORKER = 'ws://w1';
const HASH = 'hash';
const entry: DesiredEntry = {
  spec: {
    subscriptionIdentifier: 'd;c',
    rtspUrl: 'rtsp://h/1',
    modelId: 1,
    modelName: 'cars',
    createdAt: '2026-01-01T00:00:00.000Z',
  },
  hash: HASH,
  cameraId: 'c',
};

/** One subscription at one worker, which reports what the test says. */
class Stage {
  now = 0;
  previous: TrackedSubscription | undefined;
  last: StepResult | undefined;
  sends = 0;
  refusals = 0;

  /** @param due see `WorkerObservation.reportsDue` */
  step(stream: Partial<ReportedStream> | null, due = 0): StepResult {
    const target: WorkerObservation = {
      url: WORKER,
      liveness: 'Ready',
      current: true,
      reported: new Map(
        stream === null ? [] : [['d;c', { online: true, modelId: 1, fingerprint: HASH, ...stream }]],
      ),
      reportsDue: new Map([['d;c', due]]),
      capacity: 100,
      cpu: null,
      memory: null,
      gpu: null,
      gpuMemory: null,
    };
    const result = stepSubscription({
      entry,
      previous: this.previous,
      target,
      unplacedReason: '',
      now: this.now,
      wallNow: this.now,
      mayVerify: true,
      settling: false,
    });
    this.previous = result.next;
    this.sends += Number(result.send);
    this.refusals += Number(result.refused);
    return result;
  }

  get shown(): string {
    const { status, reason, detail } = this.previous!;
    return [status, reason, ...(detail === undefined ? [] : [detail])].join(' ');
  }
}

describe('the state of a model', () => {
  it('keeps a subscription pending while it loads, confirmed and without resends, and then makes it active', () => {
    const stage = new Stage();
    stage.step(null, 1);
    for (const online of [false, true])
      for (stage.now = 1_000; stage.now < 60_000; stage.now += 1_000) {
        stage.step({ modelState: 'loading', online });
        expect(stage.shown).toBe('pending loading-model');
      }
    expect([stage.sends, stage.refusals, stage.previous!.confirmed]).toEqual([2, 0, true]);
    stage.step({});
    expect(stage.shown).toBe('active streaming');
  });

  it('does not write the record again while the model loads', () => {
    const stage = new Stage();
    stage.step(null, 1);
    const { next } = stage.step({ modelState: 'loading' });
    expect(stage.step({ modelState: 'loading' }).next).toBe(next);
  });

  it('that has failed counts as a refusal at once, with the reason of the worker', () => {
    const stage = new Stage();
    stage.step(null, 1);
    stage.now = 500;
    stage.step({ modelState: 'failed', problem: 'HTTP 404' });
    expect([stage.shown, stage.refusals]).toEqual(['failed model-failed HTTP 404', 1]);
    stage.step({});
    expect(stage.shown).toBe('active streaming');
  });

  it('that fails is offered again after 40 s, then every 30 s, if the subscription stays', () => {
    const stage = new Stage();
    stage.step(null, 1);
    const sent: number[] = [];
    for (stage.now = 0; stage.now <= 110_000; stage.now += 1_000) {
      const { send } = stage.step({ modelState: 'failed', problem: 'HTTP 404' });
      if (send) sent.push(stage.now);
      expect(stage.shown).toBe('failed model-failed HTTP 404');
    }
    expect(sent).toEqual([40_000, 70_000, 100_000]);
  });

  it('does not refuse before the worker has read the command that follows a failure', () => {
    const stage = new Stage();
    stage.step(null, 1);
    stage.step({});
    expect(stage.shown).toBe('active streaming');
    // It has failed later, or ran before this master began: one command with a fresh URL.
    expect(stage.step({ modelState: 'failed', problem: 'x' }).send).toBe(true);
    expect(stage.step({ modelState: 'failed', problem: 'x' }, 1)).toMatchObject({
      send: false,
      refused: false,
    });
    expect(stage.step({ modelState: 'failed', problem: 'x' }, 0)).toMatchObject({
      send: false,
      refused: true,
    });
  });
});
