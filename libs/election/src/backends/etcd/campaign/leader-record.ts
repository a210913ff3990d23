/** Who leads, as the leader has announced it; with `null`, that it has handed over. */
export interface LeaderRecord {
  readonly id: string | null;
  readonly term: number;
}

const VERSION = 1;

export function writeLeaderRecord({ id, term }: LeaderRecord): string {
  return JSON.stringify({ version: VERSION, id, term });
}

/** Reads a record; `undefined` when it is not one of this version. */
export function readLeaderRecord(text: string): LeaderRecord | undefined {
  try {
    const { version, id, term } = JSON.parse(text) as Record<string, unknown>;
    if (version !== VERSION || (typeof id !== 'string' && id !== null) || !Number.isSafeInteger(term))
      return undefined;
    return { id: id as string | null, term: term as number };
  } catch {
    return undefined;
  }
}
