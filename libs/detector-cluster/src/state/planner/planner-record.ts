import { z } from 'zod';
import type { PlannerState } from '../../planner/contract/planner-state.js';
import type { Penalty } from '../../reconcile/observation.js';
import { pairKey } from '../../reconcile/observation.js';
import { flapMemorySchema } from '../../workers/flap-watch.js';

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

/** What the master remembers besides what runs where; times are wall clock, milliseconds. */
export interface PlannerMemory {
  readonly state: PlannerState | null;
  readonly penalties: ReadonlyMap<string, Penalty>;
  readonly flaps: z.infer<typeof flapMemorySchema>;
}

/** The value of `worker:planner`. */
export function toPlannerRecord({ state, penalties, flaps }: PlannerMemory): string {
  return JSON.stringify({ state, penalties: [...penalties.values()], flaps });
}

/** An empty memory where nothing was written, or nothing that can be read. */
export function fromPlannerRecord(text: string | null): PlannerMemory {
  const { success, data } = recordSchema.safeParse(parsed(text));
  if (!success) return { state: null, penalties: new Map(), flaps: {} };
  const penalties = new Map(data.penalties.map((each) => [pairKey(each.workerUrl, each.unitId), each]));
  return { state: data.state, penalties, flaps: data.flaps };
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
