import { describe, expect, it, vi } from 'vitest';
import { Quorum } from './quorum.js';

const five = () => new Quorum(1, [1, 2, 3, 4, 5]);

describe('Quorum', () => {
  it('is confirmed by the answer that completes the majority', () => {
    const quorum = five();
    quorum.heard(2, 100);
    expect(quorum.confirmedAt(500)).toBe(-Infinity);
    quorum.heard(3, 200);
    expect(quorum.confirmedAt(500)).toBe(100);
    quorum.heard(4, 300);
    expect(quorum.confirmedAt(500)).toBe(200);
  });

  it('is confirmed at any time for a single member', () => {
    expect(new Quorum(1, []).confirmedAt(500)).toBe(500);
  });

  it('needs more than half of an even number', () => {
    const quorum = new Quorum(1, [1, 2]);
    expect(quorum.confirmedAt(500)).toBe(-Infinity);
  });

  it('counts failed members until a majority has answered after the failure', () => {
    const quorum = five();
    for (const id of [3, 4, 5]) quorum.failed(id, 1_000);
    quorum.heard(2, 1_100);
    expect(quorum.voters).toHaveLength(5);
    expect(quorum.confirmedAt(2_000)).toBe(-Infinity);
  });

  it('does not count answers from before the failure', () => {
    const quorum = five();
    for (const id of [2, 3, 4, 5]) quorum.heard(id, 900);
    quorum.failed(5, 1_000);
    quorum.heard(2, 1_100);
    expect(quorum.voters).toHaveLength(5);
  });

  it('holds while members fail one after the other', () => {
    const quorum = five();
    for (const [failed, answering] of [
      [5, [2, 3]],
      [4, [2, 3]],
      [3, [2]],
    ] as const) {
      const now = (6 - failed) * 10_000;
      quorum.failed(failed, now);
      const changed = answering.map((id) => quorum.heard(id, now + 1_000));
      expect(changed.at(-1)).toBe(true);
    }
    expect(quorum.voters).toEqual([1, 2]);
  });

  it('counts a new member as heard from, once', () => {
    const quorum = new Quorum(1, []);
    quorum.joined(2, 100);
    expect(quorum.confirmedAt(500)).toBe(100);
    quorum.joined(2, 400);
    expect(quorum.confirmedAt(500)).toBe(100);
  });

  it('removes departed members', () => {
    const quorum = five();
    for (const id of [3, 4, 5]) quorum.departed(id);
    quorum.heard(2, 100);
    expect(quorum.confirmedAt(500)).toBe(100);
  });

  it('counts the majority once for each answer, however many members have failed', () => {
    const quorum = new Quorum(
      1,
      Array.from({ length: 1_000 }, (_, i) => i + 1),
    );
    for (let id = 601; id <= 1_000; id++) quorum.failed(id, 1_000);
    const counts = vi.spyOn(quorum, 'confirmedAt');
    for (let id = 2; id <= 500; id++) expect(quorum.heard(id, 1_100)).toBe(false);
    expect(counts).toHaveBeenCalledTimes(499);
    expect(quorum.heard(501, 1_100)).toBe(true);
    expect(quorum.voters).toHaveLength(600);
  });
});
