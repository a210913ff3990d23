import { describe, expect, it } from 'vitest';
import { SimulatedWorld, subscription } from './simulated-world.fixture.js';

/** Longer than a command waits for its confirmation, and than a move may take. */
const PASS_TIME = 20_000;

function world(...workers: string[]): SimulatedWorld {
  const w = new SimulatedWorld();
  for (const url of workers) w.addWorker(url);
  return w;
}

/** The next pass, right after the last one. */
function passSoon(w: SimulatedWorld): void {
  w.now += 10;
  w.pass();
}

const places = (w: SimulatedWorld) => new Set(Object.values(w.places()));

describe('a command of a pass that takes long', () => {
  it('is not sent again before its worker can have reported, and the worker does not count as refusing it', () => {
    const w = world('ws://a', 'ws://b');
    w.want(subscription('d1;c1'));
    w.passTime = PASS_TIME;
    w.pass();
    const [place] = places(w);
    passSoon(w);
    expect(w.sent).toHaveLength(1);
    expect(w.statuses()).toEqual({ 'd1;c1': 'pending/awaiting-report' });
    expect(places(w)).toEqual(new Set([place]));
    w.report(w.workers.get(place!)!);
    passSoon(w);
    expect(w.statuses()).toEqual({ 'd1;c1': 'active/streaming' });
  });

  it('is sent again when its worker has not taken it for as long as after a quick pass', () => {
    const w = world('ws://a');
    w.workers.get('ws://a')!.refuses.add('d1;c1');
    w.want(subscription('d1;c1'));
    w.passTime = PASS_TIME;
    w.pass();
    const sentAt = w.now;
    expect(w.due.get('d1;c1')).toBe(sentAt + 4_000);
    w.passTime = 0;
    w.run(4_000);
    expect(w.sent.map(({ at }) => at - sentAt)).toEqual([0, 4_000]);
  });

  it('does not make a move fail', () => {
    const w = world('ws://a');
    w.want(subscription('d1;c1'));
    w.run(4_000);
    w.addWorker('ws://b');
    w.workers.get('ws://a')!.drainSince = w.now;
    w.passTime = PASS_TIME;
    w.pass();
    expect(w.sent.at(-1)).toMatchObject({ type: 'subscribe', workerUrl: 'ws://b' });
    w.passTime = 0;
    passSoon(w);
    w.run(6_000);
    expect(w.ended.map(({ outcome }) => outcome)).toEqual(['finished']);
    expect(w.running()).toEqual({ 'd1;c1': ['ws://b'] });
  });

  it('that stops a stream is not sent again before its worker can have reported', () => {
    const w = world('ws://a');
    w.want(subscription('d1;c1'));
    w.run(4_000);
    w.sent = [];
    w.want();
    w.passTime = PASS_TIME;
    w.pass();
    passSoon(w);
    expect(w.sent.map(({ type }) => type)).toEqual(['unsubscribe']);
  });
});
