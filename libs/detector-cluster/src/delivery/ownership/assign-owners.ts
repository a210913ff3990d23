export interface AssignOwnersInput {
  /** Processes that may own partitions; the order breaks ties. */
  readonly members: readonly string[];
  /** Partition → its owner until now; owners that are no members count as none. */
  readonly current: ReadonlyMap<number, string>;
  /** Partition → detections per second; partitions without a figure weigh the mean, and all the same when none has one. */
  readonly rates: ReadonlyMap<number, number>;
  /** Most partitions to take from members. Default: an equal share of the partitions. */
  readonly maxMoves?: number;
  /** Difference between the most and the least loaded member that is left alone, as a part of the mean load. Default 0.3. */
  readonly tolerance?: number;
}

export interface OwnerMove {
  readonly partition: number;
  readonly from: string;
  readonly to: string;
}

export interface OwnerPlan {
  /** Owner of every partition, before {@link moves}. Empty when there is no member. */
  readonly assignments: Map<number, string>;
  /** Partitions that had no member as their owner. */
  readonly forced: number[];
  /** What would balance the load, most useful first; each is worth doing only after those before it. */
  readonly moves: OwnerMove[];
}

/** A quiet partition still counts, so that many of them are spread too. */
const LEAST_WEIGHT = 0.1;

/**
 * Which process owns which partition. Pure.
 *
 * Sticky: members keep their partitions. Orphans go, the busiest first, to the least loaded member (the greedy rule of
 * longest-processing-time scheduling). Moves are proposed only beyond the tolerance, and only moves that bring the two
 * extremes nearer to each other by a noticeable amount, so that the plan that follows a plan is empty.
 */
export function assignOwners(input: AssignOwnersInput): OwnerPlan {
  const { members, current } = input;
  const partitions = [...current.keys()].sort((a, b) => a - b);
  const assignments = new Map<number, string>();
  if (members.length === 0) return { assignments, forced: [], moves: [] };

  const weights = weigh(partitions, input.rates);
  const loads = new Map(
    members.map((member) => [member, { member, weight: 0, partitions: new Set<number>() }]),
  );
  const give = (partition: number, owner: string) => {
    const load = loads.get(owner)!;
    load.weight += weights.get(partition)!;
    load.partitions.add(partition);
  };
  const orphans: number[] = [];
  for (const partition of partitions) {
    const owner = current.get(partition)!;
    if (!loads.has(owner)) {
      orphans.push(partition);
      continue;
    }
    assignments.set(partition, owner);
    give(partition, owner);
  }
  const forced = orphans.sort((a, b) => weights.get(b)! - weights.get(a)! || a - b);
  for (const partition of forced) {
    const { member } = [...loads.values()].reduce((least, load) =>
      load.weight < least.weight ||
      (load.weight === least.weight && load.partitions.size < least.partitions.size)
        ? load
        : least,
    );
    assignments.set(partition, member);
    give(partition, member);
  }
  return { assignments, forced, moves: balance([...loads.values()], weights, input) };
}

interface Load {
  readonly member: string;
  weight: number;
  readonly partitions: Set<number>;
}

function balance(loads: Load[], weights: Map<number, number>, input: AssignOwnersInput): OwnerMove[] {
  const { maxMoves = Math.ceil(weights.size / loads.length), tolerance = 0.3 } = input;
  const total = loads.reduce((sum, { weight }) => sum + weight, 0);
  const band = (tolerance * total) / loads.length;
  // Where each partition is a small part of the load, one move alone brings little.
  const noticeable = Math.min(band / 2, total / weights.size);
  const moves: OwnerMove[] = [];
  while (moves.length < maxMoves) {
    const most = loads.reduce((a, b) => (b.weight > a.weight ? b : a));
    const least = loads.reduce((a, b) => (b.weight < a.weight ? b : a));
    const gap = most.weight - least.weight;
    if (gap <= band) break;
    let best: { partition: number; gap: number } | undefined;
    for (const partition of [...most.partitions].sort((a, b) => a - b)) {
      const left = Math.abs(gap - 2 * weights.get(partition)!);
      if (left < (best?.gap ?? gap - noticeable)) best = { partition, gap: left };
    }
    if (best === undefined) break;
    const weight = weights.get(best.partition)!;
    most.partitions.delete(best.partition);
    most.weight -= weight;
    least.partitions.add(best.partition);
    least.weight += weight;
    moves.push({ partition: best.partition, from: most.member, to: least.member });
  }
  return moves;
}

function weigh(partitions: readonly number[], rates: ReadonlyMap<number, number>): Map<number, number> {
  const known = partitions.flatMap((partition) => rates.get(partition) ?? []);
  const mean = known.length === 0 ? 0 : known.reduce((sum, rate) => sum + rate, 0) / known.length;
  const weight = (partition: number) =>
    mean === 0 ? 1 : Math.max(rates.get(partition) ?? mean, LEAST_WEIGHT * mean);
  return new Map(partitions.map((partition) => [partition, weight(partition)]));
}
