import { describe, expect, it } from 'vitest';
import { until } from '../../../../test/support/until.js';
import { FrameInbox } from './frame-inbox.js';
import { type LaneLimits } from './frame-lane.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** An inbox whose frames take a time of their own, by a clock of its own. */
function slowInbox(limits: LaneLimits = { bytes: 1_000, frames: 1_000 }) {
  let now = 0;
  const seen: string[] = [];
  const inbox = new FrameInbox(() => now);
  const connection = (name: string) => {
    const changes: string[] = [];
    const lane = inbox.lane({
      limits,
      onFull: () => void changes.push('full'),
      onRoom: () => void changes.push('room'),
    });
    const take = (frame: string, { ms = 1, bytes = 1, isUrgent = false, frames = 1 } = {}) =>
      lane.take(
        bytes,
        () => {
          now += ms;
          seen.push(`${name}${frame}`);
        },
        { isUrgent, frames },
      );
    return { lane, take, changes };
  };
  return { connection, seen, take: () => seen.splice(0), pass: (ms: number) => (now += ms) };
}

describe('FrameInbox', () => {
  it('reads at once while the turn has time, and the rest in later turns', async () => {
    const { connection, take } = slowInbox();
    for (const name of 'abcdefgh') connection(name).take('1', { ms: 2 });
    expect(take()).toEqual(['a1', 'b1', 'c1']);
    await turn();
    expect(take()).toEqual(['d1', 'e1', 'f1']);
    await turn();
    expect(take()).toEqual(['g1', 'h1']);
    connection('i').take('1');
    expect(take()).toEqual(['i1']);
  });

  it('keeps the order of a connection, and gives each the same share of every turn', async () => {
    const { connection, seen } = slowInbox();
    const [a, b] = [connection('a'), connection('b')];
    for (const n of '12345') a.take(n);
    for (const n of '12') b.take(n);
    expect([a.lane.frames, b.lane.frames]).toEqual([4, 1]);
    while (seen.length < 7) await turn();
    expect(seen).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4', 'a5']);
    expect([a.lane.frames, b.lane.frames]).toEqual([0, 0]);
  });

  it('makes a connection wait for as many turns as its frame has taken shares', async () => {
    const { connection, take } = slowInbox();
    const [slow, quick] = [connection('slow'), connection('quick')];
    slow.take('1', { ms: 4 });
    slow.take('2');
    for (const n of '12345') quick.take(n);
    take();
    for (let n = 0; n < 3; n++) await turn();
    expect(take()).toEqual(['quick2', 'quick3', 'quick4']);
    await turn();
    expect(take()).toContain('slow2');
  });

  it('counts the bytes of a frame as time, because receiving them has taken time', async () => {
    const { connection, take } = slowInbox({ bytes: 1e9, frames: 1_000 });
    const [large, small] = [connection('large'), connection('small')];
    large.take('1', { ms: 0, bytes: 1024 * 1024 });
    large.take('2', { ms: 0 });
    small.take('1', { ms: 0 });
    small.take('2', { ms: 0 });
    expect(take()).toEqual(['large1', 'small1', 'small2']);
    for (let n = 0; n < 3; n++) await turn();
    expect(take()).toEqual([]);
    await turn();
    expect(take()).toEqual(['large2']);
  });

  it('charges a connection for the number of its frames, too, and counts them against the limit', async () => {
    const { connection, take } = slowInbox({ bytes: 1_000, frames: 4_000 });
    const many = connection('many');
    const frames = 20_000;
    many.take('1', { ms: 0, frames });
    many.take('2', { ms: 0, frames });
    expect(take()).toEqual(['many1']);
    expect(many.lane.frames).toBe(frames);
    expect(many.changes).toEqual(['full']);
    await turn();
    expect(take()).toEqual([]);
    while (many.lane.frames > 0) await turn();
    expect(take()).toEqual(['many2']);
  });

  it('does not let urgent frames wait for other connections, nor overtake each other', async () => {
    const { connection, take } = slowInbox();
    const urgent = { isUrgent: true, ms: 0.5 };
    for (const name of 'abc') connection(name).take('1', { ms: 2 });
    const d = connection('d');
    d.take('report');
    d.take('1', urgent);
    d.take('2', urgent);
    expect(take()).toEqual(['a1', 'b1', 'c1', 'd1', 'd2']);
    d.take('3', urgent);
    expect(take()).toEqual([]);
    while (d.lane.frames > 0) await turn();
    expect(take()).toEqual(['dreport', 'd3']);
  });

  it('says once that a connection is full, and that half of both limits is free again', async () => {
    const { connection } = slowInbox({ bytes: 100, frames: 10 });
    const bytes = connection('bytes');
    const frames = connection('frames');
    for (let n = 0; n < 5; n++) bytes.take(`${n}`, { bytes: 40 });
    for (let n = 0; n < 20; n++) frames.take(`${n}`);
    expect([bytes.changes, frames.changes]).toEqual([['full'], ['full']]);
    expect(bytes.lane.bytes).toBe(160);
    while (bytes.lane.bytes > 50) {
      expect(bytes.changes).toEqual(['full']);
      await turn();
    }
    await until(() => bytes.changes.length === 2 && frames.changes.length === 2);
    expect([bytes.changes, frames.changes]).toEqual([
      ['full', 'room'],
      ['full', 'room'],
    ]);
  });

  it('lets a connection rest longer each time while it is full again soon, and counts that as waiting', async () => {
    const { connection, pass } = slowInbox({ bytes: 100, frames: 10 });
    const a = connection('a');
    const rests: number[] = [];
    for (let round = 1; round <= 6; round++) {
      const since = performance.now();
      const behind = a.lane.behindFor();
      for (let n = 0; n < 13; n++) a.take(`${n}`, { ms: 0 });
      a.take('slow', { ms: 1 });
      for (let n = 0; n < 13; n++) a.take(`${n}`, { ms: 0 });
      while (a.lane.frames > 0) await turn();
      pass(100);
      expect(a.lane.behindFor()).toBeGreaterThanOrEqual(behind + 100);
      await until(() => a.changes.length === 2 * round);
      rests.push(performance.now() - since);
    }
    for (const [i, least] of [50, 100, 200, 400, 500, 500].entries())
      expect(rests[i]).toBeGreaterThanOrEqual(least - 2);
  });

  it('knows for how long frames of a connection have waited', async () => {
    const { connection, pass } = slowInbox();
    const a = connection('a');
    a.take('1', { ms: 0 });
    pass(5);
    expect(a.lane.behindFor()).toBe(0);
    a.take('2', { ms: 3 });
    a.take('3', { ms: 0 });
    pass(7);
    expect(a.lane.behindFor()).toBe(7);
    while (a.lane.frames > 0) await turn();
    pass(5);
    expect(a.lane.behindFor()).toBe(7);
  });

  it('reads no frame of a connection that was cleared', async () => {
    const { connection, take } = slowInbox();
    const [a, b] = [connection('a'), connection('b')];
    for (const n of '12345') a.take(n);
    for (const n of '12') b.take(n);
    a.lane.clear();
    expect([a.lane.frames, a.lane.bytes]).toEqual([0, 0]);
    while (b.lane.frames > 0) await turn();
    await turn();
    expect(take()).toEqual(['a1', 'b1', 'b2']);
  });
});
