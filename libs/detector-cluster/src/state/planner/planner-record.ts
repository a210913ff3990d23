import { z } from 'zod';
import type { PlannerState } from '../../planner/plan.types.js';
import { type Penalty, pairKey } from '../../reconcile/observation.js';
import { LONGEST_COOLDOWN } from '../../planner/planner-state.js';
import { LONGEST_PENALTY } from '../../reconcile/confirmation.js';
import { boundedFlaps, flapMemorySchema } from '../../workers/flap-watch.js';

const plannerStateSchema = z.object({
  levelling: z.object({ since: z.number(), left: z.number() }).nullable(),
  cooldowns: z.array(z.tuple([z.string(), z.number()])),
  round: z.object({ startedAt: z.number(), moves: z.number() }),
  membership: z.object({ digest: z.number(), since: z.number() }),
});

const recordSchema = z.object({
  state: plannerStateSchema.nullable(),
  penalties: z.array(
    z.object({ unitId: z.string(), workerUrl: z.string(), until: z.number(), count: z.number() }),
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
  const { success, data } = recordSchema.safeParse(parsed(text));
  if (!success) return { state: null, penalties: new Map(), flaps: {} };
  const penalties = new Map(
    data.penalties.map((each) => [
      pairKey(each.workerUrl, each.unitId),
      { ...each, until: Math.min(each.until, now + LONGEST_PENALTY) },
    ]),
  );
  return {
    state: data.state && boundedState(data.state, now),
    penalties,
    flaps: boundedFlaps(data.flaps, now),
  };
}

function boundedState(state: PlannerState, now: number): PlannerState {
  const { levelling, cooldowns, round, membership } = state;
  const past = (at: number) => Math.min(at, now);
  return {
    levelling: levelling && { ...levelling, since: past(levelling.since) },
    cooldowns: cooldowns.map(([unitId, until]) => [unitId, Math.min(until, now + LONGEST_COOLDOWN)]),
    round: { ...round, startedAt: past(round.startedAt) },
    membership: { ...membership, since: past(membership.since) },
  };
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
