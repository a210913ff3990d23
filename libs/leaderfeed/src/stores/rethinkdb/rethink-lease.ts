import type { RDatum, RTable } from 'rethinkdb-ts';
import type { LeaseClaim, LeaseStore, LeaseView } from '../../lease/lease-store.js';
import type { RethinkSession } from './rethink-session.js';

/** Primary key of the lease in the table of the election. */
export const LEASE_ID = 'leaderfeed:lease';

/** `until`: milliseconds of the server's clock. */
interface LeaseDocument {
  readonly owner: string | null;
  readonly leader: string | null;
  readonly term: number;
  readonly successor: string | null;
  readonly until: number;
}

/** The lease as a document of the table; one `replace` for each call. Who listens to the table hears of its changes. */
export class RethinkLease implements LeaseStore {
  constructor(
    private readonly session: RethinkSession,
    private readonly table: () => RTable,
  ) {}

  acquire({ owner, candidateId, ttl, floor }: LeaseClaim & { floor: number }): Promise<LeaseView> {
    const { r } = this.session;
    return this.replace((row, now) => {
      const mine = ownerOf(row).eq(owner);
      const kept = r.and(ownerOf(row).eq(null as never), successorOf(row).eq(candidateId));
      const free = row('until').default(0).le(now);
      const higher = r.expr([row('term').default(0).add(1), floor + 1, now.floor()]).max();
      return r.branch(
        r.or(mine, free, kept),
        {
          id: LEASE_ID,
          owner,
          leader: candidateId,
          term: r.branch(mine, row('term').default(0), higher),
          successor: r.branch(mine, successorOf(row), null as never),
          until: now.add(ttl),
        },
        row,
      );
    });
  }

  renew({ owner, ttl }: LeaseClaim): Promise<LeaseView> {
    const { r } = this.session;
    return this.replace((row, now) =>
      r.branch(ownerOf(row).eq(owner), row.merge({ until: now.add(ttl) }) as RDatum, row),
    );
  }

  async release({ owner, ttl }: LeaseClaim): Promise<void> {
    const { r } = this.session;
    await this.replace((row, now) => {
      const until = r.branch(successorOf(row).eq(null as never), 0, now.add(ttl));
      return r.branch(ownerOf(row).eq(owner), row.merge({ owner: null, leader: null, until }) as RDatum, row);
    });
  }

  async nominate(candidateId: string, ttl: number): Promise<void> {
    const { r } = this.session;
    await this.replace((row, now) => {
      const held = r.and(ownerOf(row).ne(null as never), row('until').default(0).gt(now));
      const leads = row('leader').default(null).eq(candidateId);
      return r.branch(
        held,
        row.merge({ successor: r.branch(leads, null as never, candidateId as never) }) as RDatum,
        {
          id: LEASE_ID,
          owner: null,
          leader: null,
          term: row('term').default(0),
          successor: candidateId,
          until: now.add(ttl),
        },
      );
    });
  }

  /** @param change The document as it shall be, from what it is (`null` when there is none) and the time of the server. */
  private async replace(change: (row: RDatum, now: RDatum<number>) => RDatum): Promise<LeaseView> {
    const { r } = this.session;
    // The same moment throughout a query.
    const now = r.now().toEpochTime().mul(1_000) as unknown as RDatum<number>;
    const replaced = this.table()
      .get(LEASE_ID)
      .replace((row: RDatum) => change(row, now), { returnChanges: 'always', durability: 'hard' });
    const [{ changes, errors, first_error: problem }, time] = await this.session.run<
      [{ changes?: { new_val: LeaseDocument | null }[]; errors: number; first_error?: string }, number]
    >(r.expr([replaced, now]) as unknown as RDatum);
    if (errors > 0) throw new Error(`RethinkDB refused: ${problem}`);
    return viewOf(changes?.[0]?.new_val ?? null, time);
  }
}

const ownerOf = (row: RDatum): RDatum => row('owner').default(null);
const successorOf = (row: RDatum): RDatum => row('successor').default(null);

function viewOf(document: LeaseDocument | null, now: number): LeaseView {
  if (!document) return { owner: null, leaderId: null, term: 0, remaining: 0, successor: null };
  const { owner, leader, term, successor, until } = document;
  const remaining = Math.max(0, until - now);
  const held = remaining > 0;
  return { owner: held ? owner : null, leaderId: held ? leader : null, term, remaining, successor };
}
