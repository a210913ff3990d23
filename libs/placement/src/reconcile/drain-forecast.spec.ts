import { describe, expect, it } from 'vitest';
import { runToEnd } from '../model/in-chunks.js';
import { drainForecast } from './reconcile.js';
import { SimulatedWorld, subscription } from './simulated-world.fixture.js';

const [A, B] = ['ws://a', 'ws://b'] as const;
const CAMERAS = 8;

/** Two workers, with half of the cameras each. */
function halves(): SimulatedWorld {
  const world = new SimulatedWorld();
  for (const url of [A, B]) world.addWorker(url);
  for (const worker of world.workers.values()) worker.capacity = CAMERAS / 2;
  world.want(...Array.from({ length: CAMERAS }, (_, i) => subscription(`d${i};c${i}`)));
  run(world, 10_000);
  return world;
}

function run(world: SimulatedWorld, ms: number): void {
  for (const end = world.now + ms; world.now < end;) {
    world.now += 500;
    for (const each of world.workers.values()) if (each.state === 'Ready') world.report(each);
    world.pass();
  }
}

const streams = (world: SimulatedWorld, url: string) => world.workers.get(url)!.streams.size;

describe('drainForecast', () => {
  it.each([0, 1, 3, 4])('says how many cameras will have no worker if %i find room', (room) => {
    const world = halves();
    expect([streams(world, A), streams(world, B)]).toEqual([CAMERAS / 2, CAMERAS / 2]);
    world.workers.get(B)!.capacity = CAMERAS / 2 + room;
    const forecast = runToEnd(drainForecast(world.input, A));
    expect(forecast).toEqual({ cameras: CAMERAS / 2, withoutRoom: CAMERAS / 2 - room });
    world.workers.get(A)!.drainSince = world.wallNow;
    run(world, 310_000);
    expect(streams(world, A)).toBe(0);
    expect(streams(world, B)).toBe(CAMERAS - forecast.withoutRoom);
  });

  it('changes nothing, and counts nothing for a worker without cameras', () => {
    const world = halves();
    world.addWorker('ws://c');
    expect(runToEnd(drainForecast(world.input, 'ws://c'))).toEqual({ cameras: 0, withoutRoom: 0 });
    run(world, 5_000);
    expect([streams(world, A), streams(world, B)]).toEqual([CAMERAS / 2, CAMERAS / 2]);
  });
});
