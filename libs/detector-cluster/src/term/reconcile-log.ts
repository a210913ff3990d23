import type { HeldMove, PlanAction } from '@detector-cluster/placement';
import {
  DRAIN_DEADLINE,
  pairKey,
  type WorkerObservation,
  type ReconcileInput,
  type ReconcileResult,
  type Refusal,
} from '@detector-cluster/placement/internal';
import { getOrInsertComputed } from '@detector-cluster/election/internal';
import type { ClusterLogger } from '../operators/worker-logger.js';

/** When the reason ends that keeps cameras on their worker. Wall clock, milliseconds. */
export interface KnownEnds {
  /** See `FlapWatch.until`. */
  readonly quarantineOf: (workerUrl: string) => number;
  /** When the freeze of all moves ends; null while nothing is frozen. */
  readonly freeze: number | null;
}

/** Logs why workers do not carry out the decisions of a pass. It logs a reason once when it begins, not at every pass. */
export class ReconcileLog {
  /** Logged pairs of worker and subscription that run although they were unsubscribed. */
  private readonly unstopped = new Set<string>();
  /** Worker → why its drain cannot proceed. */
  private readonly stuck = new Map<string, Obstacle>();

  constructor(private readonly logger: ClusterLogger) {}

  /** Worker → why its drain cannot proceed, for people. */
  get stuckDrains(): ReadonlyMap<string, { readonly text: string }> {
    return this.stuck;
  }

  /** @param input the input of the pass */
  look(input: ReconcileInput, result: ReconcileResult, ends: KnownEnds): void {
    this.sayRefusals(result.refusals);
    this.sayUnstopped(input, result);
    // A new master moves nothing before its workers have reported.
    if (!input.settling) this.sayStuckDrains(input, result, ends);
  }

  private sayRefusals(refusals: readonly Refusal[]): void {
    for (const [url, all] of groupBy(refusals, ({ workerUrl }) => workerUrl)) {
      const failed = all.filter(({ problem }) => problem !== undefined);
      if (failed.length > 0)
        this.logger.warn(
          `worker ${url} cannot load the model of these cameras: ${shortened(failed, ({ problem, unitId }) => `${unitId} (${problem === '' ? 'no reason given' : problem})`)}`,
        );
      const late = all.filter(({ problem }) => problem === undefined);
      const elsewhere = late.filter(({ until }) => until !== null);
      if (elsewhere.length > 0)
        this.logger.warn(
          `worker ${url} did not take these cameras in time and gets none of them again before the time given: ${shortened(elsewhere, ({ unitId, until }) => `${unitId} (until ${iso(until!)})`)}`,
        );
      const pinned = late.filter(({ until }) => until === null);
      if (pinned.length > 0)
        this.logger.warn(
          `worker ${url} did not take all subscriptions of these cameras in time; it keeps them, because it runs their other subscriptions: ${shortened(pinned, ({ unitId }) => unitId)}`,
        );
    }
  }

  private sayUnstopped({ unsubscribing }: ReconcileInput, result: ReconcileResult): void {
    const repeated = result.actions.filter(
      ({ type, workerUrl, subscriptionIdentifier: id }) =>
        type === 'unsubscribe' && unsubscribing.has(pairKey(workerUrl, id)),
    );
    for (const [url, actions] of groupBy(repeated, ({ workerUrl }) => workerUrl)) {
      const ids = actions.map(({ subscriptionIdentifier }) => subscriptionIdentifier);
      const fresh = ids.filter((id) => !this.unstopped.has(pairKey(url, id)));
      if (fresh.length === 0) continue;
      this.logger.warn(
        `worker ${url} still reports subscriptions that it was ordered to stop; the command is repeated every 4 s until it does not: ${shortened(fresh)}`,
      );
      for (const id of fresh) this.unstopped.add(pairKey(url, id));
    }
    for (const pair of this.unstopped) if (!result.unsubscribing.has(pair)) this.unstopped.delete(pair);
  }

  private sayStuckDrains(input: ReconcileInput, result: ReconcileResult, ends: KnownEnds): void {
    const draining = input.workers.filter(
      ({ drainSince, reported }) => drainSince !== undefined && reported.size > 0,
    );
    const moving = new Set([...result.moves.values()].map(({ from }) => from));
    const urls = new Set(draining.map(({ url }) => url));
    for (const url of this.stuck.keys()) if (!urls.has(url)) this.stuck.delete(url);
    if (draining.length === 0) return;
    const { actions, held } = result.plan;
    const drained = held.filter(({ reason }) => reason === 'drain');
    const unsent = actions.filter((action) => isUnsent(action, result.moves));
    const [heldFrom, unsentFrom] = [groupBy(drained, sourceOf), groupBy(unsent, sourceOf)];
    for (const worker of draining) {
      const { url, liveness } = worker;
      const was = this.stuck.get(url);
      if (moving.has(url)) {
        if (was !== undefined) this.logger.log(`the drain of worker ${url} proceeds`);
        this.stuck.delete(url);
        continue;
      }
      const staying = { held: heldFrom.get(url) ?? [], unsent: unsentFrom.get(url) ?? [] };
      const found =
        liveness === 'Quarantined' ? quarantined(url, ends) : obstacle(worker, staying, input, result, ends);
      if (found === null) continue;
      this.stuck.set(url, found);
      if (found.reason === was?.reason) continue;
      this.logger.warn(`the drain of worker ${url} cannot proceed: ${found.text}`);
    }
  }
}

interface Obstacle {
  readonly reason: string;
  readonly text: string;
}

function quarantined(url: string, { quarantineOf }: KnownEnds): Obstacle {
  return { reason: 'quarantined', text: `the worker is quarantined until ${iso(quarantineOf(url))}` };
}

/** Why no camera leaves a draining worker; null if one can leave, or only waits for its turn. */
function obstacle(
  { url, drainSince }: WorkerObservation,
  { held, unsent }: { readonly held: readonly HeldMove[]; readonly unsent: readonly PlannedMove[] },
  { wallNow, workers }: ReconcileInput,
  { penalties }: ReconcileResult,
  { freeze, quarantineOf }: KnownEnds,
): Obstacle | null {
  if (held.some(({ heldBy }) => heldBy !== 'no-room' && heldBy !== 'frozen')) return null;
  if (freeze !== null && held.some(({ heldBy }) => heldBy === 'frozen'))
    return {
      reason: 'frozen',
      text: `no camera is moved until ${iso(freeze)}, or until most workers are back`,
    };
  if (unsent.length > 0)
    return {
      reason: 'credentials',
      text: `until the database can be read, this process does not know the credentials of ${shortened(unsent.map(({ unitId }) => unitId))}`,
    };
  if (held.length === 0) return null;
  const units = new Set(held.map(({ unitId }) => unitId));
  const ends = [
    ...workers.filter((worker) => worker.url !== url).map((worker) => quarantineOf(worker.url)),
    ...[...penalties.values()].filter(({ unitId }) => units.has(unitId)).map(({ until }) => until),
  ].filter((until) => until > wallNow);
  const chance = ends.length > 0 ? ` Another worker may take them again at ${iso(Math.min(...ends))}.` : '';
  return {
    reason: 'no-room',
    text: `no other worker that may take these cameras has room: ${shortened([...units])}. They stop at ${iso(drainSince! + DRAIN_DEADLINE)}.${chance}`,
  };
}

type PlannedMove = Extract<PlanAction, { type: 'move' }>;

/** A planned move that was not begun, because the credentials of the camera are unknown. */
const isUnsent = (action: PlanAction, moves: ReconcileResult['moves']): action is PlannedMove =>
  action.type === 'move' && !action.breaksFirst && !action.waits && !moves.has(action.unitId);

const sourceOf = ({ from }: { readonly from: string }): string => from;

export function groupBy<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string,
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) getOrInsertComputed(groups, keyOf(value), () => []).push(value);
  return groups;
}

/** A line names so many. */
const SHOWN = 5;

function shortened<T>(values: readonly T[], nameOf: (value: T) => string = String): string {
  const rest = values.length - SHOWN;
  return values.slice(0, SHOWN).map(nameOf).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

const iso = (wall: number): string => new Date(wall).toISOString();
