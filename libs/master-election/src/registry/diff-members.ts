/** One start of a process. */
interface Member {
  readonly nodeId: string;
  readonly bootId: string;
}

/** Differences between two reads of the members. A process that restarted under its old id counts as left and joined. */
interface MembershipChange<M extends Member> {
  readonly joined: readonly M[];
  readonly left: readonly M[];
}

export function diffMembers<M extends Member>(
  before: readonly M[],
  after: readonly M[],
): MembershipChange<M> {
  const boots = (members: readonly M[]) => new Map(members.map(({ nodeId, bootId }) => [nodeId, bootId]));
  const [then, now] = [boots(before), boots(after)];
  return {
    joined: after.filter(({ nodeId, bootId }) => then.get(nodeId) !== bootId),
    left: before.filter(({ nodeId, bootId }) => now.get(nodeId) !== bootId),
  };
}
