import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasOtherVersion, lessFar, modelPace, versionStep, type CameraVersion } from './model-pace.js';
import type { DesiredEntry, TrackedSubscription } from './observation.js';

/** What becomes of a camera that gets a version, after some looks. */
type Outcome = { readonly step: 'ready' | 'failed' | 'dark'; readonly looks: number };

interface Camera {
  /** The version that it has. */
  has: string;
  step: CameraVersion['step'];
  left: number;
}

/** Cameras of a model, which all run `v0` at first. */
class Site {
  readonly cameras: Camera[];
  private target = 'v0';
  private last: string | undefined;

  constructor(
    size: number,
    private readonly outcomeOf: (camera: number, version: string) => Outcome,
  ) {
    this.cameras = Array.from({ length: size }, () => ({ has: 'v0', step: 'ready', left: 0 }));
  }

  /** All cameras are to run this version. */
  give(version: string): void {
    this.target = version;
    for (const camera of this.cameras) {
      const runs = camera.step === 'ready' || camera.step === 'waiting';
      if (camera.has !== version) camera.step = runs ? 'waiting' : 'stopped';
      else if (hasOtherVersion(camera.step)) camera.step = runs ? 'ready' : 'replacing';
    }
  }

  /** Another master leads, which has not looked yet. */
  forget(): void {
    this.last = undefined;
  }

  look(): ReturnType<typeof modelPace> {
    for (const [index, camera] of this.cameras.entries())
      if (camera.step === 'replacing' && camera.left-- <= 0)
        camera.step = this.outcomeOf(index, camera.has).step;
    const all = this.cameras.map(({ step }, index) => ({ cameraId: `${index}`, version: this.target, step }));
    const pace = modelPace(all, this.last);
    this.last = pace === null || pace.isDone ? undefined : pace.version;
    for (const cameraId of pace?.next ?? []) {
      const index = Number(cameraId);
      const left = this.outcomeOf(index, this.target).looks;
      this.cameras[index] = { has: this.target, step: 'replacing', left };
    }
    return pace;
  }

  count(...steps: readonly CameraVersion['step'][]): number {
    return this.cameras.filter(({ step }) => steps.includes(step)).length;
  }
}

const outcome = (...steps: readonly Outcome['step'][]) =>
  fc.record({ step: fc.constantFrom(...steps), looks: fc.nat(3) });
const sizes = fc.integer({ min: 1, max: 90 });
const play = fc.array(fc.constantFrom('v0', 'v1', 'v2', 'look', 'look', 'look', 'forget'), { maxLength: 40 });

function run(site: Site, steps: readonly string[], check: () => void): void {
  for (const step of steps) {
    if (step === 'look') site.look();
    else if (step === 'forget') site.forget();
    else site.give(step);
    check();
  }
}

describe('the pace of a version', () => {
  it('keeps no more than one camera in twenty from running, whatever fails, and whatever changes in between', () => {
    fc.assert(
      fc.property(sizes, play, fc.func(outcome('ready', 'failed')), (size, steps, outcomeOf) => {
        const site = new Site(size, outcomeOf);
        run(site, steps, () =>
          expect(site.count('replacing', 'failed', 'stopped')).toBeLessThanOrEqual(Math.ceil(size / 20)),
        );
      }),
    );
  });

  it('reaches every camera if no worker fails, although some cameras do not answer', () => {
    fc.assert(
      fc.property(sizes, play, fc.func(outcome('ready', 'dark')), (size, steps, outcomeOf) => {
        const site = new Site(size, outcomeOf);
        run(site, [...steps, 'v3'], () => undefined);
        let looks = 0;
        while (site.look()?.isDone === false) expect(looks++).toBeLessThan(5 * size + 40);
        expect(site.cameras.every(({ has }) => has === 'v3')).toBe(true);
        expect(site.count('ready', 'dark')).toBe(size);
      }),
    );
  });

  it('stops at the first camera if no worker can load the file, and leads back', () => {
    const site = new Site(100, (_, version) => ({ step: version === 'bad' ? 'failed' : 'ready', looks: 1 }));
    site.give('bad');
    for (let n = 0; n < 50; n++) site.look();
    expect(site.look()).toMatchObject({
      version: 'bad',
      cameras: 100,
      failed: 1,
      isPaused: true,
      isDone: false,
    });
    expect([site.count('failed'), site.count('waiting')]).toEqual([1, 99]);
    site.give('v0');
    for (let n = 0; n < 5; n++) site.look();
    expect(site.count('ready')).toBe(100);
  });

  it('begins with one camera, then doubles, up to one in twenty', () => {
    const site = new Site(200, () => ({ step: 'ready', looks: 0 }));
    site.give('v1');
    const sizesOfTurns = Array.from({ length: 8 }, () => site.look()!.next.length);
    expect(sizesOfTurns).toEqual([1, 1, 2, 4, 8, 10, 10, 10]);
  });

  it('counts no camera of another version as a success', () => {
    const all = Array.from({ length: 100 }, (_, n): CameraVersion => ({
      cameraId: `${n}`,
      version: n < 50 ? 'canary' : 'v0',
      step: n < 50 ? 'waiting' : 'ready',
    }));
    expect(modelPace(all, undefined)).toMatchObject({ version: 'canary', cameras: 50, next: ['0'] });
  });

  it('has nothing to do while each camera has its version', () => {
    expect(modelPace([{ cameraId: 'c', version: 'v1', step: 'replacing' }], undefined)).toBeNull();
    expect(modelPace([{ cameraId: 'c', version: 'v1', step: 'ready' }], 'v2')).toBeNull();
    expect(modelPace([], undefined)).toBeNull();
  });

  it('judges a camera by its subscription that has come least far', () => {
    expect(lessFar('ready', 'replacing')).toBe('replacing');
    expect(lessFar('failed', 'waiting')).toBe('failed');
    expect(lessFar('waiting', 'dark')).toBe('waiting');
  });
});

describe('the step of a subscription', () => {
  const entry = { hash: 'h', cameraId: 'c', spec: { modelVersion: 'v2' } } as DesiredEntry;
  const active = { status: 'active', reason: 'streaming', specHash: 'h', workerUrl: 'ws://w', since: 0 };
  const pending = { ...active, status: 'pending', reason: 'awaiting-report' };
  const MINUTE = 60_000;

  it.each<[string, object | undefined, number, string]>([
    ['runs', active, 1e9, 'ready'],
    ['runs the former version until the next pass', { ...active, specHash: 'former' }, 1e9, 'replacing'],
    ['is new', undefined, 1e9, 'replacing'],
    ['waits for its worker', pending, MINUTE - 1, 'replacing'],
    ['waits for its worker for too long', pending, MINUTE, 'dark'],
    ['has a status from the future', { ...pending, since: 1e9 }, 0, 'dark'],
    ['loads its model, however long', { ...pending, reason: 'loading-model' }, 1e9, 'replacing'],
    ['has a camera that does not answer', { ...pending, reason: 'camera-offline' }, 1, 'dark'],
    ['is refused by its worker', { ...pending, status: 'failed', reason: 'refused' }, MINUTE, 'dark'],
    ['has failed', { ...pending, status: 'failed', reason: 'model-failed', detail: '' }, 1e9, 'failed'],
    ['has failed before', { ...pending, detail: 'HTTP 404', specHash: 'former' }, 1, 'replacing'],
    ['has failed everywhere', { ...pending, detail: 'x', specHash: '', workerUrl: '' }, 1e9, 'failed'],
  ])('that %s', (_, tracked, now, step) => {
    expect(versionStep(entry, 'v2', tracked as TrackedSubscription | undefined, now)).toBe(step);
  });

  it('with another version', () => {
    expect(versionStep(entry, 'v3', active as TrackedSubscription, 0)).toBe('waiting');
    expect(versionStep(entry, 'v3', pending as TrackedSubscription, 0)).toBe('stopped');
    expect(versionStep(entry, 'v3', undefined, 0)).toBe('stopped');
  });
});
