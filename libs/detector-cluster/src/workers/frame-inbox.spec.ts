import { describe, expect, it } from 'vitest';
import { FrameInbox } from './frame-inbox.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** An inbox whose frames take 2 ms each, by a clock of its own. */
function slowInbox() {
  let now = 0;
  const seen: string[] = [];
  const inbox = new FrameInbox(() => now);
  const reader = (connection: string) => (frame: Buffer) => {
    now += 2;
    seen.push(`${connection}${frame.toString()}`);
  };
  return { inbox, seen, reader, take: () => seen.splice(0) };
}

describe('FrameInbox', () => {
  it('reads at once while the turn has time, and the rest in later turns', async () => {
    const { inbox, reader, take } = slowInbox();
    for (const connection of 'abcdefgh') inbox.take(reader(connection), Buffer.from('1'));
    expect(take()).toEqual(['a1', 'b1', 'c1']);
    await turn();
    expect(take()).toEqual(['d1', 'e1', 'f1']);
    await turn();
    expect(take()).toEqual(['g1', 'h1']);
    inbox.take(reader('i'), Buffer.from('1'));
    expect(take()).toEqual(['i1']);
  });

  it('keeps the order of a connection, and reads one frame of each in turn', async () => {
    const { inbox, reader, seen } = slowInbox();
    const [a, b] = [reader('a'), reader('b')];
    for (const n of '12345') inbox.take(a, Buffer.from(n));
    for (const n of '12') inbox.take(b, Buffer.from(n));
    expect([inbox.countOf(a), inbox.countOf(b)]).toEqual([2, 2]);
    while (seen.length < 7) await turn();
    expect(seen).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'a5', 'b2']);
    expect([inbox.countOf(a), inbox.countOf(b)]).toEqual([0, 0]);
  });

  it('reads the waiting frames of a connection that ends, and none of others', () => {
    const { inbox, reader, take } = slowInbox();
    const [a, b] = [reader('a'), reader('b')];
    for (const n of '12345') inbox.take(a, Buffer.from(n));
    inbox.take(b, Buffer.from('1'));
    take();
    inbox.finish(a);
    expect(take()).toEqual(['a4', 'a5']);
    expect(inbox.countOf(b)).toBe(1);
  });
});
