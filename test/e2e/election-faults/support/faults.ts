import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from './arena.js';
import type { Candidate } from './candidate.js';
import type { SeededRandom } from '@detector-cluster/local-cluster';

/** A fault that is over when it resolves: then all processes run again, and there are as many as before. */
export interface Fault {
  readonly name: string;
  /** What it affects; one of each kind may happen at the same time. `alone`: its target must run, and answer. */
  readonly kind: 'process' | 'store' | 'alone';
  /** Whether a leader may be gone by it, so that `absent` is the right reason to replace it. */
  readonly hidesLeader: boolean;
  happen(arena: Arena, leader: Candidate, random: SeededRandom): Promise<void>;
}

/** Longer than a leader of timing 'fast' keeps its lease, and a leader by presence waits for a confirmation. Milliseconds. */
const MAX_FAULT = 4_500;

/** The leader, more often than not. */
const victim = (arena: Arena, leader: Candidate, random: SeededRandom): Candidate =>
  random.next() < 0.7 ? leader : random.pick(arena.living);

const fault = (name: string, kind: Fault['kind'], hidesLeader: boolean, happen: Fault['happen']): Fault => ({
  name,
  kind,
  hidesLeader,
  happen,
});

const FAULTS: readonly Fault[] = [
  fault('kill -9', 'process', true, async (arena, leader, random) => {
    victim(arena, leader, random).kill();
    await arena.join();
  }),
  fault('SIGTERM', 'process', false, async (arena, leader, random) => {
    await Promise.all([victim(arena, leader, random).terminate(), arena.join()]);
  }),
  fault('SIGSTOP', 'process', false, async (arena, leader, random) => {
    const frozen = victim(arena, leader, random);
    frozen.pause();
    await sleep(random.between(50, MAX_FAULT));
    frozen.resume();
  }),
  fault('blocked loop', 'process', false, async (arena, leader, random) => {
    const from = arena.journal.read();
    await victim(arena, leader, random).block(random.between(50, MAX_FAULT));
    await arena.next('unblocked', from);
  }),
  fault('blocked loop, presence cut', 'alone', true, async (arena, leader, random) => {
    const from = arena.journal.read();
    await leader.block(random.between(200, MAX_FAULT));
    await arena.next('blocked', from);
    await arena.cutPresence(leader);
    await arena.next('unblocked', from);
  }),
  fault('presence cut', 'alone', true, async (arena, leader) => {
    await arena.cutPresence(leader);
  }),
  fault('connections of one cut', 'alone', true, async (arena, leader, random) => {
    const { id } = victim(arena, leader, random);
    await arena.cut(({ owner }) => owner === id);
  }),
  fault('connections of all cut', 'alone', false, async (arena) => {
    await arena.cut(() => true);
  }),
  fault('some connections cut, again and again', 'alone', true, async (arena, _leader, random) => {
    for (let cut = random.between(2, 10); cut > 0; cut--) {
      await arena.cut(() => random.next() < 0.3);
      await sleep(random.between(10, 400));
    }
  }),
  fault('Redis frozen', 'store', false, async (arena, _leader, random) => {
    arena.redis.pause();
    await sleep(random.between(50, MAX_FAULT));
    arena.redis.resume();
  }),
  fault('Redis restarted with its data', 'store', false, async (arena, _leader, random) => {
    await arena.restart({ downFor: random.between(0, 2_000) });
  }),
  fault('Redis restarted without data', 'store', false, async (arena, _leader, random) => {
    await arena.restart({ loseData: true, downFor: random.between(0, 2_000) });
  }),
  fault('resignation', 'alone', false, async (arena, leader) => {
    const from = arena.journal.read();
    await leader.resign();
    await arena.next('lost', from);
  }),
];

/** One fault, or one of a process and one of the store. */
export function drawFaults(random: SeededRandom): readonly Fault[] {
  const first = random.pick(FAULTS);
  if (first.kind === 'alone' || random.next() < 0.6) return [first];
  return [first, random.pick(FAULTS.filter(({ kind }) => kind !== 'alone' && kind !== first.kind))];
}
