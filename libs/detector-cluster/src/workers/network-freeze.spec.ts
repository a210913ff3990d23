import { describe, expect, it } from 'vitest';
import type { WorkerLiveness } from '@detector-cluster/placement/internal';
import { NetworkFreeze } from './network-freeze.js';

const workers = (
  away: number,
  total: number,
  liveness: WorkerLiveness = 'Suspect',
  refused = false,
  known = true,
) =>
  Array.from({ length: total }, (_, i) =>
    i < away ? { liveness, refused, known } : { liveness: 'Ready' as const, refused: false, known: true },
  );

describe('NetworkFreeze', () => {
  it.each([
    [6, 10, true],
    [5, 10, false],
    [2, 3, true],
    [1, 3, false],
    [2, 2, false],
    [0, 0, false],
  ])('%i of %i away: %p', (away, total, frozen) => {
    expect(new NetworkFreeze().update(workers(away, total), 0)).toBe(frozen);
  });

  it('counts workers that are offline, and not those that refuse the connection', () => {
    expect(new NetworkFreeze().update(workers(6, 10, 'Offline'), 0)).toBe(true);
    expect(new NetworkFreeze().update(workers(6, 10, 'Suspect', true), 0)).toBe(false);
  });

  it('does not count workers that have not reported yet as vanished', () => {
    expect(new NetworkFreeze().update(workers(10, 10, 'Connecting'), 0)).toBe(false);
  });

  it('does not count workers that were unavailable when the master began, neither as vanished nor as present', () => {
    const absent = workers(10, 10, 'Offline', false, false);
    expect(new NetworkFreeze().update(absent, 0)).toBe(false);
    expect(new NetworkFreeze().update([...absent, ...workers(2, 3)], 0)).toBe(true);
  });

  it('counts a flapping worker as present', () => {
    expect(new NetworkFreeze().update(workers(10, 10, 'Quarantined'), 0)).toBe(false);
  });

  it('lasts at most a minute, and can begin again once the workers were back', () => {
    const freeze = new NetworkFreeze();
    expect(freeze.endsAt(0)).toBeNull();
    expect(freeze.update(workers(6, 10), 1_000)).toBe(true);
    expect(freeze.endsAt(1_000)).toBe(61_000);
    expect(freeze.update(workers(6, 10), 60_999)).toBe(true);
    expect(freeze.update(workers(6, 10), 61_000)).toBe(false);
    expect(freeze.endsAt(61_000)).toBeNull();
    expect(freeze.update(workers(6, 10), 200_000)).toBe(false);
    expect(freeze.update(workers(0, 10), 200_001)).toBe(false);
    expect(freeze.update(workers(6, 10), 200_002)).toBe(true);
  });

  it('is news after three seconds, in which stopped workers refuse connections', () => {
    const freeze = new NetworkFreeze();
    expect(freeze.certainAt(0)).toBeNull();
    freeze.update(workers(6, 10), 1_000);
    freeze.update(workers(6, 10), 2_000);
    expect(freeze.certainAt(2_000)).toBe(4_000);
    freeze.update(workers(6, 10, 'Suspect', true), 3_000);
    expect(freeze.certainAt(3_000)).toBeNull();
  });

  it('continues for a while when some workers are back, so that the others can return as well', () => {
    const freeze = new NetworkFreeze();
    freeze.update(workers(6, 10), 0);
    expect(freeze.update(workers(5, 10, 'Offline'), 20_000)).toBe(true);
    expect(freeze.endsAt(20_000)).toBe(35_000);
    expect(freeze.update(workers(1, 10, 'Offline'), 34_999)).toBe(true);
    expect(freeze.update(workers(1, 10, 'Offline'), 35_000)).toBe(false);

    freeze.update(workers(6, 10), 100_000);
    expect(freeze.update(workers(0, 10), 110_000)).toBe(false);

    freeze.update(workers(6, 10), 200_000);
    expect(freeze.update(workers(5, 10), 250_000)).toBe(true);
    expect(freeze.update(workers(5, 10), 260_000)).toBe(false);
  });
});
