import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCanary, offered, switchedTo, versionFor, watched, type ModelRollout } from './model-rollout.js';

const cameras = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 60 });
const percent = fc.integer({ min: 1, max: 99 });
const start = offered(undefined, 'v1', { cameras: [], share: 10, now: 0 });
const canaryOf = (share: number, given: readonly string[], before = start) =>
  offered(before, 'v2', { cameras: given, share, now: 1 });
const countOf = (rollout: ModelRollout, given: readonly string[], version: string) =>
  given.filter((camera) => versionFor(rollout, camera) === version).length;

describe('the rollout of a model', () => {
  it('runs the first version on every camera', () => {
    expect(start).toMatchObject({ current: 'v1', former: null, candidate: null });
    expect(versionFor(start, 'c1')).toBe('v1');
  });

  it('runs a new version on its share of the cameras, rounded up', () => {
    fc.assert(
      fc.property(percent, cameras, (share, given) => {
        const canary = canaryOf(share, given);
        expect(countOf(canary, given, 'v2')).toBe(Math.ceil((given.length * share) / 100));
        expect(countOf(canary, given, 'v1')).toBe(given.length - countOf(canary, given, 'v2'));
      }),
    );
  });

  it('chooses the same cameras in whatever order they come, and whatever the version', () => {
    fc.assert(
      fc.property(percent, cameras, (share, given) => {
        const chosen = (rollout: ModelRollout) => given.map((camera) => versionFor(rollout, camera) === 'v1');
        const other = canaryOf(share, given.toReversed(), { ...start, former: 'v0' });
        expect(chosen(other)).toEqual(chosen(canaryOf(share, given)));
      }),
    );
  });

  it('takes no camera out of a larger canary', () => {
    fc.assert(
      fc.property(percent, percent, cameras, (a, b, given) => {
        const [small, large] = [canaryOf(Math.min(a, b), given), canaryOf(Math.max(a, b), given)];
        for (const camera of given)
          if (versionFor(small, camera) === 'v2') expect(versionFor(large, camera)).toBe('v2');
      }),
    );
  });

  it('gives a new version to all cameras without a canary', () => {
    expect(canaryOf(100, ['c1'])).toMatchObject({ current: 'v2', former: 'v1', candidate: null });
  });

  it('does not change when the provider repeats itself', () => {
    const canary = canaryOf(10, ['c1', 'c2']);
    const back = switchedTo(canary, 'v1', 2)!;
    const all = switchedTo(canary, 'v2', 2)!;
    for (const [rollout, version] of [
      [start, 'v1'],
      [canary, 'v2'],
      [back, 'v2'],
      [all, 'v2'],
      [switchedTo(all, 'v1', 3)!, 'v2'],
    ] as const)
      expect(offered(rollout, version, { cameras: ['c1'], share: 10, now: 9 })).toBe(rollout);
  });

  it('ends a canary when the provider gives the current version again', () => {
    const ended = offered(canaryOf(10, ['c1']), 'v1', { cameras: ['c1'], share: 10, now: 5 });
    expect(ended).toMatchObject({ current: 'v1', candidate: null, since: 5 });
  });

  it('replaces a canary by the canary of the next version', () => {
    const next = offered(canaryOf(10, ['c1']), 'v3', { cameras: ['c1'], share: 10, now: 5 });
    expect(next).toMatchObject({ current: 'v1', candidate: 'v3', since: 5 });
  });

  it('goes back from a canary, from a version that all run, and forward again', () => {
    const back = switchedTo(canaryOf(10, ['c1']), 'v1', 2)!;
    expect(back).toMatchObject({ current: 'v1', candidate: 'v2', share: 0 });
    expect(versionFor(back, 'c1')).toBe('v1');
    const all = switchedTo(back, 'v2', 3)!;
    expect(all).toMatchObject({ current: 'v2', former: 'v1', candidate: null });
    const again = switchedTo(all, 'v1', 4)!;
    expect(again).toMatchObject({ current: 'v1', former: null, candidate: 'v2', share: 0 });
    expect(switchedTo(again, 'v2', 6)).toMatchObject({ current: 'v2', former: 'v1' });
  });

  it('goes back to the former version from a canary of a third one, which does not return by itself', () => {
    const canary = offered(canaryOf(100, []), 'v3', { cameras: ['c1'], share: 10, now: 2 });
    const back = switchedTo(canary, 'v1', 3)!;
    expect(back).toMatchObject({ current: 'v1', former: null, candidate: 'v3', share: 0 });
    expect(offered(back, 'v3', { cameras: ['c1'], share: 10, now: 4 })).toBe(back);
  });

  it('switches once however often it is asked, and to no version that it does not know', () => {
    expect(switchedTo(start, 'v1', 5)).toBe(start);
    expect(switchedTo(start, 'v9', 5)).toBeNull();
    const back = switchedTo(canaryOf(10, ['c1']), 'v1', 2)!;
    expect(switchedTo(back, 'v1', 3)).toBe(back);
  });

  it('runs one of its versions on each camera after any steps, and has no version twice', () => {
    const version = fc.constantFrom('v1', 'v2', 'v3');
    const step = fc.oneof(
      fc.record({ offer: version, share: fc.constantFrom(10, 50, 100) }),
      fc.record({ all: version }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), cameras, (steps, given) => {
        let rollout = start;
        let last = 'v1';
        for (const [index, each] of steps.entries()) {
          const now = index + 1;
          if ('all' in each) rollout = switchedTo(rollout, each.all, now) ?? rollout;
          else rollout = offered(rollout, (last = each.offer), { cameras: given, share: each.share, now });
          const { candidate, current, former } = rollout;
          expect([current, candidate]).toContain(last);
          expect(candidate).not.toBe(current);
          if (former !== null) expect(former).not.toBe(current);
          for (const camera of given)
            expect(isCanary(rollout) ? [current, candidate] : [current]).toContain(
              versionFor(rollout, camera),
            );
        }
      }),
    );
  });

  describe('under watch', () => {
    const canary = canaryOf(50, ['c1', 'c2']);
    const well = { active: 1, isTroubled: false };

    it('is confirmed after a time without failures, which begins again after a failure', () => {
      let rollout = watched(canary, well, 1_000, 10);
      expect(rollout.quietSince).toBe(10);
      expect(watched(rollout, well, 1_000, 1_009)).toBe(rollout);
      expect(watched(rollout, well, 1_000, 1_010)).toMatchObject({ current: 'v2', former: 'v1' });
      rollout = watched(rollout, { active: 1, isTroubled: true }, 1_000, 1_010);
      expect(rollout).toMatchObject({ candidate: 'v2', quietSince: null });
      rollout = watched(rollout, well, 1_000, 1_020);
      expect(watched(rollout, well, 1_000, 2_019)).toBe(rollout);
      expect(watched(rollout, well, 1_000, 2_020)).toMatchObject({ current: 'v2' });
    });

    it('is not confirmed while no camera runs it, nor without a time', () => {
      expect(watched(canary, { active: 0, isTroubled: false }, 0, 1e9)).toBe(canary);
      const rollout = watched(canary, well, null, 10);
      expect(watched(rollout, well, null, 1e12)).toBe(rollout);
    });

    it('does not trust a time in the future', () => {
      expect(watched({ ...canary, quietSince: 1e9 }, well, 1_000, 10).quietSince).toBe(10);
    });

    it('leaves a version alone that was rolled back', () => {
      const back = switchedTo(canary, 'v1', 2)!;
      expect(watched(back, well, 0, 1e9)).toBe(back);
    });
  });
});
