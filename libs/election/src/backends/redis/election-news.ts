/** Announced when leadership changes. Only a hint: a process that receives it reads the record. */
export interface ElectionNews {
  readonly term: number;
  readonly owner: string;
  readonly reason: 'acquired' | 'released';
}

/** Reads an announcement; `undefined` when it is not one. */
export function parseElectionNews(message: string): ElectionNews | undefined {
  let value: unknown;
  try {
    value = JSON.parse(message);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { term, owner, reason } = value as Partial<Record<keyof ElectionNews, unknown>>;
  if (typeof term !== 'number' || typeof owner !== 'string') return undefined;
  return reason === 'acquired' || reason === 'released' ? { term, owner, reason } : undefined;
}
