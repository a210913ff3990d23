import type { Grant } from './grant.js';

/**
 * What is wrong with a history of grants; empty when nothing is. No two grants of different owners overlap, a term
 * belongs to one owner, and terms rise in the order in which the tenures began.
 */
export function checkHistory(grants: readonly Grant[]): string[] {
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
