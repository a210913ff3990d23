import type { Grant, OwnerRecord } from '../log/log-store.js';

export interface OwnershipInput {
  readonly records: readonly OwnerRecord[];
  /** Processes that are there and may own partitions, in order. */
  readonly candidates: readonly string[];
  readonly alive: ReadonlySet<string>;
  /** Living processes that may not run at the moment: they keep what they own. Default none. */
  readonly absent?: ReadonlySet<string>;
  readonly rates: ReadonlyMap<number, number>;
  readonly workloads?: Workloads;
  /** Maximum number of partitions that may be moving between living processes at a time to balance the load. */
  readonly maxHandOvers: number;
}

/** How much of the load each process prefers, relative to others. A process that is missing prefers as much as the mean. */
export type Workloads = ReadonlyMap<string, number>;

export interface OwnershipStep {
  readonly partition: number;
  readonly action: Grant['action'];
  readonly to: string;
  readonly expected: string;
}

/**
 * Plans the steps after which every partition has a living owner and the load is balanced. Pure.
 *
 * A partition whose owner is gone is taken at once. A living owner is asked to hand over. Without candidates nothing changes,
 * and the entries of a partition wait.
 */
export function planOwnership(input: OwnershipInput): OwnershipStep[] {
  const { absent = new Set(), alive, candidates, maxHandOvers, rates, records, workloads } = input;
  const keeps = (process: string) => absent.has(process) && alive.has(process);
  if (candidates.length === 0) return [];
  const may = new Set(candidates);
  // The next owner, or else the present one. The partitions of absent owners are no part of the plan.
  const current = new Map<number, string>();
  for (const [partition, { next, process }] of records.entries())
    if (!keeps(process)) current.set(partition, may.has(next) ? next : process);
  const under = records.filter(
    ({ next, process }) => alive.has(process) && !keeps(process) && next !== '',
  ).length;
  const { assignments, moves } = assignOwners({
    members: candidates,
    current,
    rates,
    ...(workloads && { workloads }),
    maxMoves: Math.max(0, maxHandOvers - under),
  });
  for (const { partition, to } of moves) assignments.set(partition, to);
  return records.flatMap(({ epoch, next, process }, partition): OwnershipStep[] => {
    const to = assignments.get(partition);
    if (to === undefined) return [];
    const step = { partition, to, expected: epoch };
    if (!alive.has(process)) return [{ ...step, action: 'take' }];
    if (process === to) return next === '' ? [] : [{ ...step, action: 'keep' }];
    return next === to ? [] : [{ ...step, action: 'hand-over' }];
  });
}

export interface AssignOwnersInput {
  /** Processes that may own partitions, at least one; the order breaks ties. */
  readonly members: readonly string[];
  /** Partition → its owner until now; owners that are no members count as none. */
  readonly current: ReadonlyMap<number, string>;
  /** Partition → detections per second; partitions without a figure weigh the mean, and all the same when none has one. */
  readonly rates: ReadonlyMap<number, number>;
  readonly workloads?: Workloads;
  /** Most partitions to take from members. Default: an equal share of the partitions. */
  readonly maxMoves?: number;
}

export interface OwnerPlan {
  /** Owner of every partition, before {@link moves}. */
  readonly assignments: Map<number, string>;
  /** Moves that would balance the load, the most useful first. Each is useful only after those before it. */
  readonly moves: { readonly partition: number; readonly to: string }[];
}

interface Load {
  readonly member: string;
  /** Part of the load that it prefers; the mean of all is 1. */
  readonly share: number;
  weight: number;
  readonly partitions: Set<number>;
}

/** A quiet partition still counts, so that many of them are spread too. */
const MIN_WEIGHT = 0.1;

/** Difference between the most and the least loaded member, for their shares, that is left alone, as a part of the mean load. */
const TOLERANCE = 0.3;

/**
 * Which process owns which partition. Pure.
 *
 * Sticky: members keep their partitions. Orphans go, the busiest first, to the least loaded member (the greedy rule of
 * longest-processing-time scheduling). Moves are proposed only beyond the tolerance, and only moves that bring the two
 * extremes nearer to each other by a noticeable amount, so that the plan that follows a plan is empty.
 */
export function assignOwners(input: AssignOwnersInput): OwnerPlan {
  const partitions = [...input.current.keys()].sort((a, b) => a - b);
  const weights = weigh(partitions, input.rates);
  const shares = sharesOf(input.members, input.workloads);
  const loads = new Map(
    input.members.map((member, i) => [
      member,
      { member, share: shares[i]!, weight: 0, partitions: new Set<number>() },
    ]),
  );
  const assignments = new Map<number, string>();
  const give = (partition: number, load: Load) => {
    assignments.set(partition, load.member);
    load.weight += weights.get(partition)!;
    load.partitions.add(partition);
  };
  const orphans: number[] = [];
  for (const partition of partitions) {
    const load = loads.get(input.current.get(partition)!);
    if (load === undefined) orphans.push(partition);
    else give(partition, load);
  }
  for (const partition of orphans.sort((a, b) => weights.get(b)! - weights.get(a)! || a - b))
    give(partition, leastWith([...loads.values()], weights.get(partition)!));
  return { assignments, moves: balance([...loads.values()], weights, input.maxMoves) };
}

const relative = ({ share, weight }: Load, more = 0) => (weight + more) / share;

/** The member that has the least load for its share when it gets this weight. */
function leastWith(loads: readonly Load[], weight: number): Load {
  return loads.reduce((a, b) => {
    const difference = relative(b, weight) - relative(a, weight);
    return difference < 0 || (difference === 0 && b.partitions.size < a.partitions.size) ? b : a;
  });
}

function sharesOf(members: readonly string[], workloads: Workloads = new Map()): number[] {
  const known = members.flatMap((member) => workloads.get(member) ?? []);
  const mean = known.length === 0 ? 1 : known.reduce((sum, workload) => sum + workload, 0) / known.length;
  return members.map((member) => (workloads.get(member) ?? mean) / mean);
}

function balance(
  loads: Load[],
  weights: ReadonlyMap<number, number>,
  maxMoves = Math.ceil(weights.size / loads.length),
): OwnerPlan['moves'] {
  const total = loads.reduce((sum, { weight }) => sum + weight, 0);
  const band = (TOLERANCE * total) / loads.length;
  // If each partition is a small part of the load, a single move has little effect.
  const noticeable = Math.min(band / 2, total / weights.size);
  const moves: OwnerPlan['moves'] = [];
  while (moves.length < maxMoves) {
    const most = loads.reduce((a, b) => (relative(b) > relative(a) ? b : a));
    const least = loads.reduce((a, b) => (relative(b) < relative(a) ? b : a));
    const gap = relative(most) - relative(least);
    if (gap <= band) break;
    let best: { partition: number; gap: number } | undefined;
    for (const partition of [...most.partitions].sort((a, b) => a - b)) {
      const left = Math.abs(gap - weights.get(partition)! * (1 / most.share + 1 / least.share));
      if (left < (best?.gap ?? gap - noticeable)) best = { partition, gap: left };
    }
    if (best === undefined) break;
    const weight = weights.get(best.partition)!;
    most.partitions.delete(best.partition);
    most.weight -= weight;
    least.partitions.add(best.partition);
    least.weight += weight;
    moves.push({ partition: best.partition, to: least.member });
  }
  return moves;
}

function weigh(partitions: readonly number[], rates: ReadonlyMap<number, number>): Map<number, number> {
  const known = partitions.flatMap((partition) => rates.get(partition) ?? []);
  const mean = known.length === 0 ? 0 : known.reduce((sum, rate) => sum + rate, 0) / known.length;
  const weight = (partition: number) =>
    mean === 0 ? 1 : Math.max(rates.get(partition) ?? mean, MIN_WEIGHT * mean);
  return new Map(partitions.map((partition) => [partition, weight(partition)]));
}
