import { z } from 'zod';
import type { ModelRollout } from '@detector-cluster/placement/internal';
import type { ModelVersions } from '../shared/cluster-state.js';
import { readJson } from '../shared/read-json.js';

/** A field of `worker:models`. */
export interface ModelRecord extends ModelRollout {
  readonly modelId: number;
  readonly modelName: string;
}

const schema = z.object({
  modelId: z.int(),
  modelName: z.string(),
  current: z.string(),
  former: z.string().nullable(),
  candidate: z.string().nullable(),
  share: z.number(),
  below: z.number(),
  since: z.number(),
  quietSince: z.number().nullable(),
}) satisfies z.ZodType<ModelRecord>;

/** Null: another program has written the field. */
export const toModelRecord = (text: string): ModelRecord | null => readJson(schema, text);

export function modelVersions(record: ModelRecord): ModelVersions {
  const { modelId, modelName, current, former, candidate, share, since, quietSince } = record;
  const times = { since: isoOf(since), quietSince: quietSince === null ? null : isoOf(quietSince) };
  return { modelId, modelName, current, former, candidate, share, ...times };
}

const isoOf = (at: number): string => new Date(at).toISOString();
