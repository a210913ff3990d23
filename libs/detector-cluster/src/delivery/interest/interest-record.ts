/** What one process is interested in: a field of the interests' hash, as JSON. */
export interface InterestRecord {
  /** Rises with each change by the same process. */
  readonly version: number;
  readonly subscriptions: readonly string[];
}

/** Reads a record; null when it is not one. */
export function parseInterestRecord(json: string): InterestRecord | null {
  try {
    const record = JSON.parse(json) as Partial<InterestRecord> | null;
    if (typeof record?.version !== 'number' || !Array.isArray(record.subscriptions)) return null;
    return {
      version: record.version,
      subscriptions: record.subscriptions.filter((each) => typeof each === 'string'),
    };
  } catch {
    return null;
  }
}
