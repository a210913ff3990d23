/** What one process listens to: a field of the hash of interests, as JSON. */
export interface InterestRecord {
  /** Rises with each change by the same process. */
  readonly version: number;
  /** Whether it has listeners for all subscriptions, so that it may own partitions. */
  readonly global: boolean;
  /** Subscriptions that it has listeners for. */
  readonly subscriptions: readonly string[];
}

/** Reads a record; null when it is not one. */
export function parseInterestRecord(json: string): InterestRecord | null {
  try {
    const record = JSON.parse(json) as Partial<InterestRecord> | null;
    if (typeof record?.version !== 'number' || !Array.isArray(record.subscriptions)) return null;
    return {
      version: record.version,
      global: record.global === true,
      subscriptions: record.subscriptions.filter((each) => typeof each === 'string'),
    };
  } catch {
    return null;
  }
}
