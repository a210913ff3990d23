export interface AssignOwnersInput {
  /** Processes that may own workers; the order breaks ties. */
  readonly members: readonly string[];
  readonly workers: Iterable<string>;
  /** Worker → its owner until now; owners that are no members count as none. */
  readonly current: ReadonlyMap<string, string>;
  /** Worker → detections per second; workers without a figure weigh the mean, and all the same when none has one. */
  readonly rates: ReadonlyMap<string, number>;
  /** Most workers to take from a living owner. Default: an equal share of the workers. */
  readonly maxMoves?: number;
  /** Difference between the most and the least loaded member that is left alone, as a part of the mean load. Default 0.3. */
  readonly tolerance?: number;
}

export interface OwnerMove {
  readonly workerUrl: string;
  readonly from: string;
  readonly to: string;
}

export interface OwnerPlan {
  /** Owner of every worker, before {@link moves}. Empty when there is no member. */
  readonly assignments: Map<string, string>;
  /** Workers that had no living owner. */
  readonly forced: string[];
  /** What would balance the load, most useful first; each is worth doing only after those before it. */
  readonly moves: OwnerMove[];
}

/** A quiet worker still counts, so that many of them are spread too. */
const LEAST_WEIGHT = 0.1;

/**
 * Who owns which worker. Pure and independent of the order of the workers.
 *
 * Sticky: a living owner keeps its workers; orphans go, the busiest first, to the least loaded member (the greedy rule of
 * longest-processing-time scheduling). Moves are proposed only beyond the tolerance, and only those that bring the two
 * extremes nearer to each other by a noticeable amount, so that the plan that follows a plan is empty.
 */
export function assignOwners(input: AssignOwnersInput): OwnerPlan {
  const { members, current } = input;
  const workers = [...new Set(input.workers)].sort();
  const assignments = new Map<string, string>();
  if (members.length === 0) return { assignments, forced: [], moves: [] };

  const weights = weigh(workers, input.rates);
  const loads = new Map(members.map((member) => [member, { member, weight: 0, workers: new Set<string>() }]));
  const give = (worker: string, owner: string) => {
    const load = loads.get(owner)!;
    load.weight += weights.get(worker)!;
    load.workers.add(worker);
  };
  const orphans: string[] = [];
  for (const worker of workers) {
    const owner = current.get(worker);
    if (owner === undefined || !loads.has(owner)) {
      orphans.push(worker);
      continue;
    }
    assignments.set(worker, owner);
    give(worker, owner);
  }
  const forced = orphans.sort((a, b) => weights.get(b)! - weights.get(a)! || (a < b ? -1 : 1));
  for (const worker of forced) {
    const { member } = [...loads.values()].reduce((least, load) =>
      load.weight < least.weight || (load.weight === least.weight && load.workers.size < least.workers.size)
        ? load
        : least,
    );
    assignments.set(worker, member);
    give(worker, member);
  }
  return { assignments, forced, moves: balance([...loads.values()], weights, input) };
}

interface Load {
  readonly member: string;
  weight: number;
  readonly workers: Set<string>;
}

function balance(loads: Load[], weights: Map<string, number>, input: AssignOwnersInput): OwnerMove[] {
  const { maxMoves = Math.ceil(weights.size / loads.length), tolerance = 0.3 } = input;
  const band = (tolerance * loads.reduce((sum, { weight }) => sum + weight, 0)) / loads.length;
  const moves: OwnerMove[] = [];
  while (moves.length < maxMoves) {
    const most = loads.reduce((a, b) => (b.weight > a.weight ? b : a));
    const least = loads.reduce((a, b) => (b.weight < a.weight ? b : a));
    const gap = most.weight - least.weight;
    if (gap <= band) break;
    let best: { worker: string; gap: number } | undefined;
    for (const worker of [...most.workers].sort()) {
      const left = Math.abs(gap - 2 * weights.get(worker)!);
      if (left < (best?.gap ?? gap - band / 2)) best = { worker, gap: left };
    }
    if (best === undefined) break;
    const weight = weights.get(best.worker)!;
    most.workers.delete(best.worker);
    most.weight -= weight;
    least.workers.add(best.worker);
    least.weight += weight;
    moves.push({ workerUrl: best.worker, from: most.member, to: least.member });
  }
  return moves;
}

function weigh(workers: readonly string[], rates: ReadonlyMap<string, number>): Map<string, number> {
  const known = workers.flatMap((worker) => rates.get(worker) ?? []);
  const mean = known.length === 0 ? 0 : known.reduce((sum, rate) => sum + rate, 0) / known.length;
  const weight = (worker: string) =>
    mean === 0 ? 1 : Math.max(rates.get(worker) ?? mean, LEAST_WEIGHT * mean);
  return new Map(workers.map((worker) => [worker, weight(worker)]));
}
