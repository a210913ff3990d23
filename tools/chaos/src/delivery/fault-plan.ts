import type { SeededRandom } from '@detector-cluster/local-cluster';

/** The faults of one round, in random order: each kind as often as it is listed. */
const ROUND = [
  ['kill', 2],
  ['killTwo', 1],
  ['freeze', 1],
  ['isolate', 1],
  ['terminate', 1],
  ['drain', 1],
  ['freezeRedis', 1],
  ['reset', 2],
  ['disconnect', 2],
  ['tear', 2],
  ['killFull', 1],
] as const;

/**
 * `kill`: SIGKILL of a backend. `killTwo`: of two at once. `freeze`: SIGSTOP. `isolate`: SIGSTOP of an owner of partitions whose
 * connections to Redis are dropped, so that the others consider it dead. `terminate`: SIGTERM. `drain`: an operator empties a worker.
 * `freezeRedis`: SIGSTOP of Redis. `reset`: the sockets to a worker. `disconnect`: some connections to Redis. `tear`: the connections to a worker
 * break in the middle of a frame. `killFull`: SIGKILL of the master while detections wait in it for Redis, which is frozen.
 */
export type FaultKind = (typeof ROUND)[number][0];

export const FAULT_KINDS: readonly FaultKind[] = ROUND.map(([kind]) => kind);

/** How long a fault lasts: a killed or terminated backend is down, a frozen process sleeps, a worker stays drained. */
const DURATION: Readonly<Record<FaultKind, readonly [least: number, most: number]>> = {
  kill: [0, 2_000],
  killTwo: [0, 2_000],
  freeze: [1_000, 10_000],
  // The others notice after 3 s.
  isolate: [4_000, 10_000],
  terminate: [0, 2_000],
  drain: [1_000, 4_000],
  freezeRedis: [1_000, 5_000],
  reset: [0, 0],
  disconnect: [0, 0],
  tear: [0, 0],
  // Shorter than the lease of the master.
  killFull: [500, 1_500],
};

/** Milliseconds between two faults. */
const PAUSE = [100, 1_200] as const;

export interface PlannedFault {
  readonly kind: FaultKind;
  /** Pause after the previous fault. Milliseconds. */
  readonly pause: number;
  /** Milliseconds. */
  readonly duration: number;
  /** In [0, 1): selects one of the possible processes, workers or connections at that time. */
  readonly victim: number;
}

/** Plans one round of faults. Always draws the same number of random numbers. */
export function planRound(random: SeededRandom): PlannedFault[] {
  const kinds = ROUND.flatMap(([kind, times]) => Array.from({ length: times }, () => kind));
  return shuffle(kinds, random).map((kind) => ({
    kind,
    pause: random.between(...PAUSE),
    duration: random.between(...DURATION[kind]),
    victim: random.next(),
  }));
}

function shuffle<Item>(items: readonly Item[], random: SeededRandom): Item[] {
  const left = [...items];
  return items.map(() => left.splice(random.between(0, left.length), 1)[0]!);
}
