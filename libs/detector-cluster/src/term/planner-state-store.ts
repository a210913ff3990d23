import type { Redis } from 'ioredis';
import type { FencedStore } from '@detector-cluster/election/fence';
import {
  LEAVE_REASONS,
  MOVE_TIMEOUT,
  type StreamMove,
  pairKey,
  type Penalty,
  MAX_COOLDOWN,
  MAX_PENALTY,
} from '@detector-cluster/placement/internal';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import type { Commit } from '../shared/commit.js';
import { HashMirror } from '../shared/hash-mirror.js';
import { readJson } from '../shared/read-json.js';
import { z } from 'zod';
import type { PlannerState } from '@detector-cluster/placement';
import { boundedFlaps, flapMemorySchema } from '../workers/flap-watch.js';

/** Keeps the moves under way and the planner's memory in Redis, so that a successor continues with them. */
export class PlannerStateStore {
  moves: ReadonlyMap<string, StreamMove> = new Map();
  memory: PlannerMemory = { state: null, penalties: new Map(), flaps: {} };

  private readonly term: number;
  private readonly mirror: HashMirror;
  private written = '';

  constructor(
    store: FencedStore,
    private readonly keys: ClusterKeys,
  ) {
    this.term = store.term;
    this.mirror = new HashMirror(store, keys.moves);
  }

  async load(redis: Redis): Promise<void> {
    const [moves, text] = await Promise.all([this.mirror.load(redis), redis.get(this.keys.planner)]);
    const now = performance.now();
    this.moves = new Map(
      [...moves.values()].flatMap((record) => {
        const move = fromMoveRecord(record, now);
        return move === null ? [] : [[move.unitId, move] as const];
      }),
    );
    this.memory = fromPlannerRecord(text, Date.now());
    this.written = text ?? '';
  }

  /** See {@link HashMirror.compare}. The next pass writes the memory again in any case. */
  compare(): Promise<boolean> {
    this.written = '';
    return this.mirror.compare();
  }

  /** Adds the changes to a commit. They are remembered when that is written. */
  async addTo(commit: Commit, moves: ReadonlyMap<string, StreamMove>, memory: PlannerMemory): Promise<void> {
    const records = [...moves].map(([unitId, move]) => [unitId, toMoveRecord(move, this.term)] as const);
    await this.mirror.addTo(commit, this.mirror.changesTo(new Map(records)));
    const text = toPlannerRecord(memory);
    if (text !== this.written)
      commit.add({
        length: text.length,
        commands: () => [['SET', this.keys.planner, text]],
        written: () => (this.written = text),
      });
    commit.whenWritten(() => {
      this.moves = moves;
      this.memory = memory;
    });
  }
}

const plannerStateSchema = z.object({
  rebalancing: z
    .object({ since: z.number(), left: z.number(), requested: z.literal(true).exactOptional() })
    .nullable(),
  cooldowns: z.array(z.tuple([z.string(), z.number()])),
  round: z.object({ startedAt: z.number(), moves: z.number() }),
  membership: z.object({ digest: z.number(), since: z.number() }),
});

const memorySchema = z.object({
  state: plannerStateSchema.nullable(),
  penalties: z.array(
    z.object({
      unitId: z.string(),
      workerUrl: z.string(),
      until: z.number(),
      count: z.number(),
      refused: z.object({ subscriptionIdentifier: z.string(), hash: z.string() }).exactOptional(),
    }),
  ),
  flaps: flapMemorySchema,
});

/** The master's memory besides the placements; times are wall clock, milliseconds. */
export interface PlannerMemory {
  readonly state: PlannerState | null;
  readonly penalties: ReadonlyMap<string, Penalty>;
  readonly flaps: z.infer<typeof flapMemorySchema>;
}

/** The value of `worker:planner`. */
export function toPlannerRecord({ state, penalties, flaps }: PlannerMemory): string {
  return JSON.stringify({ state, penalties: [...penalties.values()], flaps });
}

/**
 * Empty if nothing readable was written. The clock of the previous master may have been ahead, so no time lies further in the
 * future than this process could have set it.
 * @param now wall clock, milliseconds
 */
export function fromPlannerRecord(text: string | null, now: number): PlannerMemory {
  const data = readJson(memorySchema, text);
  if (data === null) return { state: null, penalties: new Map(), flaps: {} };
  const penalties = new Map(
    data.penalties.map((each) => [
      pairKey(each.workerUrl, each.unitId),
      { ...each, until: Math.min(each.until, now + MAX_PENALTY) },
    ]),
  );
  return {
    state: data.state && boundedState(data.state, now),
    penalties,
    flaps: boundedFlaps(data.flaps, now),
  };
}

function boundedState(state: PlannerState, now: number): PlannerState {
  const { rebalancing, cooldowns, round, membership } = state;
  const past = (at: number) => Math.min(at, now);
  return {
    rebalancing: rebalancing && { ...rebalancing, since: past(rebalancing.since) },
    cooldowns: cooldowns.map(([unitId, until]) => [unitId, Math.min(until, now + MAX_COOLDOWN)]),
    round: { ...round, startedAt: past(round.startedAt) },
    membership: { ...membership, since: past(membership.since) },
  };
}

const moveSchema = z.object({
  unitId: z.string().min(1),
  from: z.string().min(1),
  to: z.string().min(1),
  reason: z.enum(LEAVE_REASONS),
  /** The only phase that is stored: before it there is no move, after it the placement has changed. */
  phase: z.literal('preparing'),
  term: z.number(),
  since: z.iso.datetime(),
  /** Subscription → hash of the specification that `to` has confirmed. */
  confirmed: z.record(z.string(), z.string()),
});

/** The record in `worker:moves` from which a successor continues. */
export function toMoveRecord(move: StreamMove, term: number): string {
  const { unitId, from, to, reason, since, commands } = move;
  return JSON.stringify({
    unitId,
    from,
    to,
    reason,
    phase: 'preparing',
    term,
    since: new Date(since).toISOString(),
    confirmed: Object.fromEntries(
      [...commands].filter(([, { sentAt }]) => sentAt === null).map(([id, { specHash }]) => [id, specHash]),
    ),
  } satisfies z.infer<typeof moveSchema>);
}

/** The move of a predecessor; its timeout restarts at `now` (monotonic milliseconds). Null: unreadable. */
export function fromMoveRecord(text: string, now: number): StreamMove | null {
  const record = readJson(moveSchema, text);
  if (record === null) return null;
  const { unitId, from, to, reason, since, confirmed } = record;
  return {
    unitId,
    from,
    to,
    reason,
    since: Date.parse(since),
    deadline: now + MOVE_TIMEOUT,
    commands: new Map(
      Object.entries(confirmed).map(([id, specHash]) => [id, { specHash, sentAt: null, attempts: 0 }]),
    ),
  };
}
