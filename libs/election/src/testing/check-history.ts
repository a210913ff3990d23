/**
 * One stretch of time in which a candidate could act. Log one for each confirmation, from one clock that all candidates
 * share: within a process `performance.now()`, between the processes of a Linux machine `process.hrtime()`.
 */
export interface Grant {
  readonly owner: string;
  readonly term: number;
  /** When the confirmation was sent, or later: the first moment at which the candidate could act on it. */
  readonly sentAt: number;
  /** When it ended: its deadline, or the moment at which the candidate gave up before. */
  readonly validUntil: number;
}

/** A write to a resource that a fence protects. */
export interface GuardedWrite {
  readonly owner: string;
  readonly term: number;
  /** Whether the fence let it through. */
  readonly accepted: boolean;
}

/**
 * The violations in a history; empty when there are none.
 *
 * No two grants of different owners overlap, a term belongs to one owner, and terms rise in the order in which they
 * began. A process that was killed is not known to have stopped before its last grant ended. Of the writes, in the order in
 * which the resource got them: none of an earlier term was accepted after one of a later term, each was made under a term of
 * its owner, and none was refused while its term was the latest.
 */
export function checkHistory(grants: readonly Grant[], writes: readonly GuardedWrite[] = []): string[] {
  return [...checkGrants(grants), ...checkWrites(grants, writes)];
}

function checkGrants(grants: readonly Grant[]): string[] {
  const problems: string[] = [];
  const ordered = [...grants].sort((a, b) => a.sentAt - b.sentAt);
  const owners = new Map<number, string>();
  let highest: Grant | undefined;
  let last: Grant | undefined;
  for (const grant of ordered) {
    const owner = owners.get(grant.term);
    if (owner !== undefined && owner !== grant.owner)
      problems.push(`term ${grant.term} belongs to ${owner} and to ${grant.owner}`);
    owners.set(grant.term, owner ?? grant.owner);
    if (highest && grant.term < highest.term)
      problems.push(`term ${grant.term} of ${grant.owner} began after term ${highest.term}`);
    if (!highest || grant.term > highest.term) highest = grant;
    // Only the grant that reaches furthest can overlap with what begins later, if it is another owner's.
    if (last && last.owner !== grant.owner && grant.sentAt < last.validUntil)
      problems.push(
        `${grant.owner} (term ${grant.term}) from ${grant.sentAt} overlaps with ` +
          `${last.owner} (term ${last.term}) until ${last.validUntil}`,
      );
    if (!last || grant.validUntil > last.validUntil) last = grant;
  }
  return problems;
}

function checkWrites(grants: readonly Grant[], writes: readonly GuardedWrite[]): string[] {
  const problems: string[] = [];
  const granted = new Set(grants.map(({ owner, term }) => `${owner} ${term}`));
  const latest = Math.max(...grants.map(({ term }) => term));
  let written = -Infinity;
  for (const { owner, term, accepted } of writes) {
    if (!granted.has(`${owner} ${term}`))
      problems.push(`${owner} wrote under term ${term}, which it was not granted`);
    if (!accepted && term >= latest)
      problems.push(`a write of ${owner} was refused under term ${term}, the latest`);
    if (!accepted) continue;
    if (term < written)
      problems.push(`a write of ${owner} under term ${term} was accepted after one under term ${written}`);
    written = Math.max(written, term);
  }
  return problems;
}
