/**
 * `suspect`: the member did not answer, but can still refute that. `failed` and `departed` are final for an id: a process that
 * comes back gets a new id.
 */
export type MemberStatus = 'alive' | 'suspect' | 'failed' | 'departed';

/** One member of the group, as another member knows it. */
export interface Member {
  /** Assigned by the leader when the member joined; never used twice in a group. */
  readonly id: number;
  /** `host:port` at which it accepts messages. */
  readonly address: string;
  /** Identifies this start of the process. */
  readonly boot: string;
  readonly status: MemberStatus;
  /** Raised by the member itself, to refute a suspicion. */
  readonly incarnation: number;
}

/** Whether it takes part: it is not known to have ended. */
export function isActive(member: Pick<Member, 'status'> | undefined): boolean {
  return member !== undefined && (member.status === 'alive' || member.status === 'suspect');
}

const RANK: Readonly<Record<MemberStatus, number>> = { alive: 0, suspect: 1, failed: 2, departed: 3 };

/** What one member knows of all members, itself included. Merging is commutative: the order of updates does not matter. */
export class MemberView {
  private readonly members = new Map<number, Member>();
  private readonly active = new Set<number>();
  private sum = 0;

  get(id: number): Member | undefined {
    return this.members.get(id);
  }

  /** All members in memory, ended ones included. */
  all(): IterableIterator<Member> {
    return this.members.values();
  }

  /** The members that are not known to have ended. */
  activeMembers(): Member[] {
    return Array.from(this.active, (id) => this.members.get(id)!);
  }

  get activeCount(): number {
    return this.active.size;
  }

  get size(): number {
    return this.members.size;
  }

  /** Equal in two members that know the same active members in the same states. */
  get digest(): number {
    return this.sum;
  }

  /** Applies an update. Returns whether it changed the view. */
  apply(update: Member): boolean {
    const known = this.members.get(update.id);
    if (known && !overrides(update, known)) return false;
    this.put(known ? { ...update, address: known.address, boot: known.boot } : update, known);
    return true;
  }

  forget(id: number): void {
    const known = this.members.get(id);
    if (known && !isActive(known)) this.members.delete(id);
  }

  private put(next: Member, known: Member | undefined): void {
    if (known && isActive(known)) this.sum = (this.sum - fingerprint(known) + 2 ** 32) % 2 ** 32;
    this.members.set(next.id, next);
    if (isActive(next)) {
      this.active.add(next.id);
      this.sum = (this.sum + fingerprint(next)) % 2 ** 32;
    } else this.active.delete(next.id);
  }
}

/** An ended member stays ended. Otherwise the higher incarnation wins, then the worse status. */
function overrides(update: Member, known: Member): boolean {
  if (!isActive(known)) return false;
  if (!isActive(update)) return true;
  if (update.incarnation !== known.incarnation) return update.incarnation > known.incarnation;
  return RANK[update.status] > RANK[known.status];
}

/** A 32-bit hash of a member's state. */
function fingerprint({ id, incarnation, status }: Member): number {
  let hash = 0x9e3779b9;
  for (const part of [id, incarnation, RANK[status]]) {
    hash = Math.imul(hash ^ (part >>> 0) ^ Math.floor(part / 2 ** 32), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** Returns up to `count` of the items. Each subset is equally likely. Does not change `items`. */
export function pickRandom<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  const rest = [...items];
  const chosen = Math.min(count, rest.length);
  for (let i = 0; i < chosen; i++) {
    const j = i + Math.floor(random() * (rest.length - i));
    [rest[i], rest[j]] = [rest[j]!, rest[i]!];
  }
  return rest.slice(0, chosen);
}
