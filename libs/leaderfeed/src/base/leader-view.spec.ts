import { beforeEach, describe, expect, it } from 'vitest';
import { LeaderView } from './leader-view.js';

describe('LeaderView', () => {
  let view: LeaderView;
  const elect = (leader: string | null, election: number, at: number) =>
    view.hear(leader, { by: 'x', kind: 'elect', election, at });
  const beat = (leader: string, election: number, at: number) =>
    view.hear(leader, { by: leader, kind: 'heartbeat', election, at });

  beforeEach(() => {
    view = new LeaderView();
  });

  it('follows the latest election', () => {
    expect([elect('a', 1, 10), beat('a', 1, 20), elect('b', 2, 30), beat('b', 2, 40)]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([view.leader, view.election]).toEqual(['b', 2]);
  });

  it('learns who leads from a heartbeat', () => {
    expect(beat('a', 7, 10)).toBe(true);
    expect([view.leader, view.election]).toEqual(['a', 7]);
  });

  it('ignores a heartbeat that a deposed leader had sent', () => {
    elect('a', 1, 10);
    elect('b', 2, 20);
    expect(beat('a', 1, 21)).toBe(false);
    expect(view.leader).toBe('b');
  });

  it('follows the later of two nodes elected at the same time, not the one with the later heartbeat', () => {
    elect('a', 1, 10);
    expect(elect('b', 1, 11)).toBe(true);
    expect(beat('a', 1, 12)).toBe(false);
    expect(view.leader).toBe('b');
  });

  it('does not revive a dead leader when its records are delivered again', () => {
    elect('a', 1, 10);
    beat('a', 1, 20);
    expect(beat('a', 1, 20)).toBe(false);
    expect(elect('a', 1, 10)).toBe(false);
    elect(null, 2, 30);
    expect([elect('a', 1, 10), beat('a', 1, 20)]).toEqual([false, false]);
    expect(view.leader).toBeNull();
  });

  it('believes a feed that reports only who leads', () => {
    elect('a', 5, 10);
    expect(view.hear('b')).toBe(true);
    expect(view.leader).toBe('b');
    expect(view.hear(null)).toBe(true);
    expect(view.leader).toBeNull();
  });
});
