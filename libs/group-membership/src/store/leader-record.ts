import { MAX_LEASE } from '@detector-cluster/election/internal';
import { z } from 'zod';

/** Version of the record. This version must not interpret a newer one. */
export const RECORD_VERSION = 1;

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const leaderRecordSchema = z.object({
  version: z.literal(RECORD_VERSION),
  /** The group that owns the record: two groups must not share one. */
  group: z.string().min(1).max(128),
  /** The term in which the group was founded; ids are unique within an epoch. */
  epoch: count.min(1),
  /** Fencing token; increases with every change of leader. */
  term: count.min(1),
  /** Increases with every write. */
  revision: count.min(1),
  /** How long its leader may act after a renewal, by any clock: what others wait for. Milliseconds. */
  leaseTtl: count.min(1).max(MAX_LEASE),
  /** The highest assigned id. */
  lastId: count.min(1),
  /** `null`: the last leader has given up. */
  leader: z
    .object({
      id: count.min(1),
      address: z.string().min(1).max(300),
      name: z.string().max(512),
      boot: z.string().min(1).max(64),
    })
    .nullable(),
  /** Ids of the voters. With a quorum, the leader must reach a majority of them. */
  voters: z.array(count).max(10_000),
});

/** The leader's record in the store. Plain JSON. */
export type LeaderRecord = z.infer<typeof leaderRecordSchema>;

/** A record in the store that cannot be read. */
export class UnreadableRecordError extends Error {
  override readonly name = 'UnreadableRecordError';
  readonly code = 'UNREADABLE_RECORD';

  constructor(reason: string) {
    super(
      `the leader record in the store cannot be used: ${reason}. It counts as unknown and will be overwritten when it has not changed for a lease`,
    );
  }
}

/**
 * Parses a record.
 * @throws UnreadableRecordError when the text is not JSON, not a record, of a newer version, or of another group.
 */
export function parseLeaderRecord(text: string, group: string): LeaderRecord {
  const record = checkLeaderRecord(parseJson(text));
  if (record.group !== group)
    throw new UnreadableRecordError(
      `it belongs to the group '${record.group}', and this one is '${group}': give each group a key of its own`,
    );
  return record;
}

/** @throws UnreadableRecordError */
export function checkLeaderRecord(value: unknown): LeaderRecord {
  const version = typeof value === 'object' && value !== null ? Reflect.get(value, 'version') : undefined;
  if (typeof version === 'number' && version > RECORD_VERSION)
    throw new UnreadableRecordError(`it is of version ${version}, and this process knows ${RECORD_VERSION}`);
  const result = leaderRecordSchema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UnreadableRecordError(`${issue!.path.join('.') || 'it'}: ${issue!.message}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UnreadableRecordError('it is not JSON');
  }
}

/** The leader of a record, in the form that members exchange. A record without a leader yields id 0. */
export function infoOfRecord({ leader, term, revision, leaseTtl }: LeaderRecord): LeaderInfo {
  const { id, address, name } = leader ?? { id: 0, address: '', name: '' };
  return { id, address, name, term, revision, leaseTtl, barred: 0 };
}

/** The leader, as members announce it to each other. */
export interface LeaderInfo {
  /** 0: none, because the leader of this term gave up. */
  readonly id: number;
  readonly address: string;
  /** The candidate's name. */
  readonly name: string;
  readonly term: number;
  /** Revision of the leader's record in the store; increases with every renewal. */
  readonly revision: number;
  /** How long the leader of this term may act after a renewal, by any clock. Milliseconds. */
  readonly leaseTtl: number;
  /** While there is no leader: the member that gave up and lets others go first; 0 for none. */
  readonly barred: number;
}

/** Whether `info` is more recent than `known`. */
export function isNewer(info: LeaderInfo, known: LeaderInfo | null): boolean {
  if (!known) return true;
  return info.term > known.term || (info.term === known.term && info.revision > known.revision);
}
