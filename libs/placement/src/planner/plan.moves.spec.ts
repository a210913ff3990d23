import { describe, expect, it } from 'vitest';
import { runToEnd } from '../model/in-chunks.js';
import type { PlanInput, PlannerState } from './plan.types.js';
import { afterFailedMoves } from './planner-state.js';
import { plan } from './plan.js';
import { unit, units, worker } from './test-support/build.js';
import { SimulatedCluster } from './test-support/simulated-cluster.js';

const NOW = 1_000_000;

const on = (url: string, ids: readonly string[]) => ids.map((id): [string, string] => [id, url]);
const ids = (count: number) => units(count).map(({ unitId }) => unitId);

/** The state of a planner whose workers have not changed for a long time. */
function calmState(input: PlanInput): PlannerState {
  const { state } = plan({ ...input, rebalance: { now: NOW - 100_000, state: null } });
  return { ...state!, rebalancing: null, cooldowns: [] };
}

describe('plan: moves under way', () => {
  it('occupy both workers until they end', () => {
    const input: PlanInput = {
      units: [unit('moving', { cost: 3 }), unit('new', { cost: 3 })],
      workers: [worker('a', { capacity: 4 }), worker('b', { capacity: 4 })],
      placements: new Map([['moving', 'a']]),
      moves: [{ unitId: 'moving', from: 'a', to: 'b' }],
    };
    expect(plan(input).actions).toEqual([{ type: 'place', unitId: 'new', to: 'a', waits: true }]);
    const over = plan({ ...input, placements: new Map([['moving', 'b']]), moves: [] });
    expect(over.actions).toEqual([{ type: 'place', unitId: 'new', to: 'a', waits: false }]);
  });

  it.each([
    ['worker-offline', worker('b', { state: 'Offline' })],
    ['drain', worker('b', { drainSince: NOW })],
    ['over-capacity', worker('b', { capacity: 1 })],
  ])('are called off when the destination is lost: %s', (reason, destination) => {
    const result = plan({
      units: [unit('u', { cost: 2 })],
      workers: [worker('a'), destination],
      placements: new Map([['u', 'a']]),
      moves: [{ unitId: 'u', from: 'a', to: 'b' }],
      rebalance: { now: NOW, state: null },
    });
    expect(result.actions).toEqual([{ type: 'abort', unitId: 'u', from: 'a', to: 'b', reason }]);
    expect(result.placements.get('u')).toBe('a');
  });

  it('continue when the source dies, and end when the unit is not desired', () => {
    const moves = [{ unitId: 'u', from: 'a', to: 'b' }];
    const workers = [worker('a', { state: 'Offline' }), worker('b')];
    const dead = plan({ units: [unit('u')], workers, placements: new Map([['u', 'a']]), moves });
    expect(dead.actions).toEqual([]);
    expect(dead.placements.get('u')).toBe('b');
    expect(plan({ units: [], workers, placements: new Map([['u', 'a']]), moves }).actions).toEqual([
      { type: 'abort', unitId: 'u', from: 'a', to: 'b', reason: 'not-desired' },
      { type: 'evict', unitId: 'u', from: 'a', reason: 'not-desired' },
    ]);
  });

  it('are broken up when they wait for each other in a cycle', () => {
    const { actions } = plan({
      units: [
        unit('x', { cost: 2, selector: { site: 'b' }, priority: 1 }),
        unit('y', { cost: 2, selector: { site: 'a' } }),
      ],
      workers: ['a', 'b'].map((site) => worker(site, { capacity: 3, labels: { site } })),
      placements: new Map([
        ['x', 'a'],
        ['y', 'b'],
      ]),
    });
    expect(actions).toHaveLength(2);
    expect(actions.find(({ unitId }) => unitId === 'y')).toMatchObject({ breaksFirst: true, waits: true });
    expect(actions.find(({ unitId }) => unitId === 'x')).toMatchObject({ breaksFirst: false, waits: false });
  });

  it('stop a single-stream camera before they start it elsewhere', () => {
    const { actions } = plan({
      units: [unit('u', { selector: { site: 'b' }, exclusive: true })],
      workers: [worker('a'), worker('b', { labels: { site: 'b' } })],
      placements: new Map([['u', 'a']]),
    });
    expect(actions).toMatchObject([{ type: 'move', reason: 'selector', breaksFirst: true }]);
  });
});

describe('plan: drain', () => {
  const workers = [worker('old', { drainSince: NOW }), worker('a'), worker('b'), worker('c')];
  const input = { units: units(20), workers, placements: new Map(on('old', ids(20))) };

  it('moves at most four units at once and two to one worker, until none is left', () => {
    const cluster = new SimulatedCluster(input.units, [worker('old'), ...workers.slice(1)]);
    for (const id of ids(20)) cluster.start(id, 'old');
    cluster.now = NOW;
    cluster.workers.set('old', workers[0]!);
    let passes = 0;
    for (; cluster.occupied('old') > 0 && passes < 50; passes++) {
      cluster.pass();
      expect(cluster.moves.size).toBeLessThanOrEqual(4);
      for (const url of 'abc')
        expect([...cluster.moves.values()].filter(({ to }) => to === url).length).toBeLessThanOrEqual(2);
      cluster.finishAll();
    }
    expect(passes).toBe(5);
  });

  it('reports why the other moves are held', () => {
    const { held, actions } = plan({ ...input, rebalance: { now: NOW, state: null } });
    expect(actions).toHaveLength(4);
    expect(held).toHaveLength(16);
    expect(held[0]).toMatchObject({ from: 'old', reason: 'drain', heldBy: 'in-flight' });
  });

  it('keeps a unit that no other worker can take, and drops it after five minutes', () => {
    const stuck = {
      units: [unit('u', { selector: { site: 'x' } })],
      workers: [worker('old', { drainSince: NOW, labels: { site: 'x' } }), worker('a')],
      placements: new Map([['u', 'old']]),
    };
    const during = plan({ ...stuck, rebalance: { now: NOW + 299_999, state: null } });
    expect(during.held).toMatchObject([{ unitId: 'u', to: null, heldBy: 'no-room' }]);
    expect(during.reviewAt).toBe(NOW + 300_000);
    expect(plan({ ...stuck, rebalance: { now: NOW + 300_000, state: null } }).actions).toEqual([
      { type: 'evict', unitId: 'u', from: 'old', reason: 'drain' },
    ]);
  });
});

describe('plan: what holds rebalancing', () => {
  const input: PlanInput = {
    units: units(100),
    workers: [worker('a'), worker('b')],
    placements: new Map(on('a', ids(100))),
  };
  const state = calmState(input);
  const planWith = (more: Partial<PlannerState>, now = NOW, frozen = false) =>
    plan({ ...input, frozen, rebalance: { now, state: { ...state, ...more } } });

  it('allows two moves at once to one worker', () => {
    const { actions, held, balance, state: next } = planWith({});
    expect(actions).toHaveLength(2);
    expect(held[0]).toMatchObject({ reason: 'balance', heldBy: 'in-flight' });
    expect(balance.rebalancing).toBe(true);
    expect(next!.round.moves).toBe(2);
    expect(next!.cooldowns.map(([, until]) => until)).toEqual([NOW + 300_000, NOW + 300_000]);
  });

  it.each<[string, Partial<PlannerState>, number | null]>([
    ['settling', { membership: { digest: 1, since: 0 } }, NOW + 20_000],
    ['settling', { membership: { ...state.membership, since: NOW - 5_000 } }, NOW + 15_000],
    ['budget', { round: { startedAt: NOW - 10_000, moves: 5 } }, NOW + 20_000],
    ['cooldown', { cooldowns: ids(100).map((id) => [id, NOW + 7_000]) }, NOW + 7_000],
    ['resting', { rebalancing: { since: NOW - 1_000, left: 0 } }, NOW + 299_000],
  ])('%s', (heldBy, more, reviewAt) => {
    const result = planWith(more);
    expect(result.actions).toEqual([]);
    expect(result.held[0]).toMatchObject({ from: 'a', to: 'b', reason: 'balance', heldBy });
    expect(result.reviewAt).toBe(reviewAt);
  });

  it('frozen', () => {
    const { actions, held } = planWith({}, NOW, true);
    expect(actions).toEqual([]);
    expect(held[0]).toMatchObject({ reason: 'balance', heldBy: 'frozen' });
  });

  it('window', () => {
    const opensAt = NOW + 3_600_000;
    const rebalance = { now: NOW, state, opensAt };
    const waiting = plan({ ...input, rebalance });
    expect(waiting).toMatchObject({ actions: [], reviewAt: opensAt });
    expect(waiting.held[0]).toMatchObject({ reason: 'balance', heldBy: 'window' });
    expect(plan({ ...input, rebalance: { ...rebalance, now: opensAt } }).actions).toHaveLength(2);

    // What was requested continues in the plans that follow.
    const requested = plan({ ...input, rebalance: { ...rebalance, requested: true } });
    expect(requested.actions).toHaveLength(2);
    const next = plan({ ...input, rebalance: { ...rebalance, now: NOW + 1_000, state: requested.state } });
    expect(next.actions).toHaveLength(2);

    const drained = [worker('a', { drainSince: NOW }), worker('b')];
    const drain = plan({ ...input, workers: drained, rebalance });
    expect(drain.actions[0]).toMatchObject({ type: 'move', reason: 'drain' });
  });

  it('does not hold units that have to move', () => {
    const { actions } = plan({
      ...input,
      workers: [worker('a', { state: 'Offline' }), worker('b')],
      rebalance: { now: NOW, state: { ...state, cooldowns: ids(100).map((id) => [id, NOW + 7_000]) } },
    });
    expect(actions).toHaveLength(100);
  });

  it('doubles the cooldowns of units whose moves failed', () => {
    const cooldowns = ['cam-1', 'cam-3'].map((unitId) => [unitId, NOW + 300_000] as const);
    const next = runToEnd(afterFailedMoves({ ...state, cooldowns }, ['cam-3', 'cam-2'], NOW));
    expect(next.cooldowns).toEqual([
      ['cam-1', NOW + 300_000],
      ['cam-2', NOW + 600_000],
      ['cam-3', NOW + 600_000],
    ]);
  });

  it('does not move a unit to a worker that failed it recently', () => {
    const result = plan({
      ...input,
      penalties: ids(100).map((unitId) => ({ unitId, workerUrl: 'b', soft: true })),
      rebalance: { now: NOW, state },
    });
    expect(result).toMatchObject({ actions: [], held: [] });
  });
});
