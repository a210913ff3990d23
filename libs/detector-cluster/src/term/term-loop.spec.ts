import { setImmediate as turn } from 'node:timers/promises';
import { FencedError } from '@detector-cluster/election/fence';
import { VirtualClock } from '@detector-cluster/election/testing';
import { describe, expect, it } from 'vitest';
import { TermLoop } from './term-loop.js';

/** A loop whose passes take `takes` ms. */
function setUp({
  takes = 0,
  next = () => null,
}: { takes?: number; next?: (now: number) => number | null } = {}) {
  const clock = new VirtualClock();
  const world = { mayAct: true, error: null as Error | null };
  const began: number[] = [];
  const warnings: string[] = [];
  const loop = new TermLoop({
    clock,
    mayAct: () => world.mayAct,
    afterSend: () => undefined,
    logger: { warn: (message) => warnings.push(message) },
    reconciler: {
      async pass() {
        began.push(clock.now());
        if (takes > 0) await new Promise<void>((resolve) => clock.setTimeout(resolve, takes));
        if (world.error !== null) throw world.error;
        return next(clock.now());
      },
    },
  });
  const until = async (time: number) => {
    await turn();
    while (clock.now() < time) {
      clock.advance(1);
      await turn();
    }
  };
  return { began, loop, until, warnings, world };
}

describe('TermLoop', () => {
  it('begins no pass before it is started, whatever changes', async () => {
    const { began, loop, until } = setUp();
    loop.changed();
    await until(50);
    expect(began).toEqual([]);
    loop.start();
    await until(200);
    expect(began).toEqual([50]);
  });

  it('sees all changes of 10 ms in one pass', async () => {
    const { began, loop, until } = setUp();
    loop.start();
    await until(100);
    loop.changed();
    await until(105);
    loop.changed();
    await until(500);
    expect(began).toEqual([0, 110]);
  });

  it('makes a pass at once for changes that were gathered before', async () => {
    const { began, loop, until } = setUp();
    loop.start();
    await until(100);
    loop.changed();
    loop.changed(true);
    await until(500);
    expect(began).toEqual([0, 100]);
  });

  it('looks again after a change during a pass', async () => {
    const { began, loop, until } = setUp({ takes: 120 });
    loop.start();
    await until(60);
    loop.changed();
    await until(1_000);
    expect(began).toEqual([0, 130]);
  });

  it('makes a pass when the last one wanted it, but never without a pause', async () => {
    const wishes = [80, 1, null];
    const { began, loop, until } = setUp({
      next: (now) => (wishes[0] === undefined ? null : ((wish) => wish && now + wish)(wishes.shift()!)),
    });
    loop.start();
    await until(1_000);
    expect(began).toEqual([0, 80, 90]);
  });

  it('decides nothing while the master may not act, and then at once what has changed', async () => {
    const { began, loop, until, world } = setUp();
    world.mayAct = false;
    loop.start();
    await until(250);
    expect(began).toEqual([]);
    world.mayAct = true;
    await until(1_000);
    expect(began).toEqual([300]);
  });

  it('says why a pass has failed, and repeats it', async () => {
    const { began, loop, until, warnings, world } = setUp();
    world.error = new Error('Redis is unavailable');
    loop.start();
    await until(300);
    world.error = null;
    await until(1_000);
    expect(began).toEqual([0, 250, 500]);
    expect(warnings).toEqual(Array(2).fill('reconciliation is put off: Redis is unavailable'));
  });

  it.each([
    { what: 'its lease', world: { mayAct: false }, reason: 'its lease is not valid' },
    {
      what: 'a failure',
      world: { error: new Error('Redis is unavailable') },
      reason: 'Redis is unavailable',
    },
    { what: 'a pass that does not end', takes: 100_000, reason: 'a pass has not ended' },
  ])('says once that it has decided nothing for 30 s because of $what', async ({ reason, takes, world }) => {
    const { loop, until, warnings, ...made } = setUp({ ...(takes && { takes }) });
    Object.assign(made.world, world);
    loop.start();
    const said = () => warnings.filter((text) => !text.startsWith('reconciliation is put off'));
    await until(29_999);
    expect(said()).toEqual([]);
    await until(70_000);
    expect(said()).toEqual([`this master has decided nothing for 30 s: ${reason}`]);
    loop.stop();
  });

  it('does not say so while passes succeed, or once it is stopped', async () => {
    const { began, loop, until, warnings, world } = setUp({ next: (now) => now + 10_000 });
    loop.start();
    await until(45_000);
    world.mayAct = false;
    await until(55_000);
    loop.stop();
    await until(100_000);
    expect({ began, warnings }).toEqual({ began: [0, 10_000, 20_000, 30_000, 40_000], warnings: [] });
  });

  it('repeats nothing once another master has written', async () => {
    const { began, loop, until, warnings, world } = setUp();
    world.error = new FencedError(1, 2);
    loop.start();
    await until(1_000);
    expect({ began, warnings }).toEqual({ began: [0], warnings: [] });
  });

  it('begins no pass once it is stopped', async () => {
    const { began, loop, until } = setUp();
    loop.start();
    await until(10);
    loop.changed();
    loop.stop();
    await until(100);
    expect(began).toEqual([0]);
  });
});
