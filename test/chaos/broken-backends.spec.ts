import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { deliveryScenario } from '../../tools/chaos/src/delivery/delivery.scenario.js';
import { floodScenario } from '../../tools/chaos/src/scenarios/flood.scenario.js';
import { aofTornScenario } from '../../tools/chaos/src/scenarios/aof-torn.scenario.js';
import { clockScenario } from '../../tools/chaos/src/scenarios/clock.scenario.js';
import { descriptorsScenario } from '../../tools/chaos/src/scenarios/descriptors.scenario.js';
import { dnsScenario } from '../../tools/chaos/src/scenarios/dns.scenario.js';
import { diskFullScenario, memoryFullScenario } from '../../tools/chaos/src/scenarios/full-redis.scenario.js';
import { oneWayScenario } from '../../tools/chaos/src/scenarios/one-way.scenario.js';
import { outage7MinScenario } from '../../tools/chaos/src/scenarios/outage-7min.scenario.js';
import { partitionScenario } from '../../tools/chaos/src/scenarios/partition.scenario.js';
import { rollingScenario } from '../../tools/chaos/src/scenarios/rolling.scenario.js';
import { postgresFailoverScenario } from '../../tools/chaos/src/scenarios/postgres-failover.scenario.js';
import { slowScenario } from '../../tools/chaos/src/scenarios/slow.scenario.js';
import { stormScenario } from '../../tools/chaos/src/scenarios/storm.scenario.js';
import { checkAgain } from './support/check-again.js';
import { tlsScenario } from '../../tools/chaos/src/scenarios/tls.scenario.js';
import { HISTORIES, runWith } from './support/run-with.js';

afterAll(() => rmSync(HISTORIES, { recursive: true, force: true }));

describe('chaos, with backends that break a promise', () => {
  // It mostly waits, so it runs beside the other scenarios. More of them would take the processors from these.
  const partition = runWith('without-network-freeze', partitionScenario);
  partition.catch(() => undefined);

  it('delivery: fails if a new owner skips what its predecessor has left', async () => {
    const figures = await runWith('owners-skip-leftovers', deliveryScenario);
    expect(figures).toMatchObject({ ok: false, unaccounted: 0, outOfOrder: 0 });
    expect(figures.lost).toBeGreaterThan(0);
    expect(figures.unfinished).toBeGreaterThan(0);
    const [again] = await checkAgain(join(HISTORIES, 'owners-skip-leftovers-1.jsonl'));
    expect(again).toMatchObject({ ok: false, broken: figures.broken });
  });

  it('delivery: fails if masters confirm detections before Redis has them', async () => {
    const figures = await runWith('masters-confirm-at-once', deliveryScenario);
    expect(figures).toMatchObject({ ok: false, lost: 0, outOfOrder: 0 });
    expect(figures.lostSent).toBeGreaterThan(0);
  });

  it('partition: fails if the master moves subscriptions from workers that vanished together', async () => {
    const figures = await partition;
    expect(figures).toMatchObject({ ok: false, vanished: 6, missed: 6 });
    expect(figures.moves).toBeGreaterThan(0);
  });

  it('flood: fails if the sockets of workers are never paused', async () => {
    const figures = await runWith('without-worker-budget', floodScenario);
    expect(figures).toMatchObject({ ok: false });
    expect(figures.maxGrowthMb).toBeGreaterThan(64);
  });

  it.each([
    ['disk-full', diskFullScenario],
    ['memory-full', memoryFullScenario],
    ['aof-torn', aofTornScenario],
    ['one-way', oneWayScenario],
  ])(
    '%s: fails if the master calls accepted what Redis has refused or not confirmed',
    async (_name, scenario) => {
      const figures = await runWith('accepts-what-redis-refuses', scenario);
      expect(figures).toMatchObject({ ok: false });
      expect(figures.lost).toBeGreaterThan(0);
    },
  );

  it('slow: fails if the master skips detections when Redis is slow', async () => {
    const figures = await runWith('skips-what-a-slow-redis-gets', slowScenario);
    expect(figures).toMatchObject({ ok: false });
    expect(figures.lost).toBeGreaterThan(0);
  });

  it('clock: fails if leases depend on the wall clock', async () => {
    const figures = await runWith('with-wall-clock', clockScenario);
    expect(figures).toMatchObject({ ok: false });
    expect(figures.changesBefore).toBeGreaterThan(0);
  });

  it('dns: fails if the master keeps the address of a worker', async (context) => {
    const figures = await runWith('resolves-workers-once', dnsScenario);
    if (typeof figures.skipped === 'string') context.skip(figures.skipped);
    expect(figures).toMatchObject({ ok: false, late: expect.stringMatching(/^worker-/) });
  });

  it('postgres-failover: fails if the master takes what any server says', async () => {
    const figures = await runWith('believes-every-server', postgresFailoverScenario);
    expect(figures).toMatchObject({ ok: false, lost: 0 });
    expect(figures.stopped).toBeGreaterThan(0);
  });

  it('tls: fails if the master dials a worker again without a pause', async () => {
    const figures = await runWith('dials-workers-without-pause', tlsScenario);
    expect(figures).toMatchObject({ ok: false, slow: [] });
  });

  it('descriptors: fails if the master does not survive', async (context) => {
    const figures = await runWith('ends-at-a-failed-dial', descriptorsScenario);
    if (typeof figures.skipped === 'string') context.skip(figures.skipped);
    expect(figures).toMatchObject({ ok: false, survived: false });
  });

  it('outage-7min: fails if the master dials all workers at the same time', async () => {
    const figures = await runWith('dials-all-at-once', outage7MinScenario);
    expect(figures).toMatchObject({ ok: false, moves: 0 });
    expect(figures.maxDialsInFlight).toBeGreaterThan(16);
  });

  it('rolling: fails if a later version writes its formats although earlier versions run', async () => {
    const figures = await runWith('writes-later-format-at-once', rollingScenario);
    expect(figures).toMatchObject({ ok: false });
    expect(figures.misread).toBeGreaterThan(0);
  });

  it('storm: fails if the master does not hear of raw SQL', async () => {
    const figures = await runWith('without-change-feed', stormScenario);
    expect(figures).toMatchObject({ ok: false, workerCommands: 0 });
    expect(figures.staleCrops).toBeGreaterThan(0);
  });
});
