import type { Clock } from '@detector-cluster/election';
import { MAX_LEASE, readLeaseLength } from '@detector-cluster/election/internal';
import type { RDatum, RTable } from 'rethinkdb-ts';
import type { LeaseClaim, LeaseStore, LeaseView } from '../../lease/lease-store.js';
import type { RethinkSession } from './rethink-session.js';

/** Primary key of the lease in the table of the election. */
export const LEASE_ID = 'leaderfeed:lease';

interface LeaseDocument {
  readonly owner: string | null;
  readonly leader: string | null;
  readonly term: number;
  readonly successor: string | null;
  /** Increases whenever the lease is taken, renewed, released, or reserved for a successor. */
  readonly seq: number;
  /** How long it lasts from then on. Milliseconds. */
  readonly ttl: number;
}

/** A state of the document, and when this candidate first saw it. */
interface Sighting {
  readonly term: number;
  readonly seq: number;
  readonly ttl: number;
  /** Monotonic. */
  readonly at: number;
}

/**
 * The lease as a document of the table; one `replace` for each call. The changefeed of the table delivers its changes.
 *
 * The document holds no time, because `r.now()` is the clock of the connected server and the clocks of two servers differ. A
 * candidate considers the lease ended when it has known the same state of the document for the lease's length, by its own monotonic
 * clock. The document says that length: the holder's, not the candidate's. The holder sent the renewal before the candidate saw the document, and stops before that length has passed since it sent
 * the renewal. So the holder has stopped when the candidate takes over. The server allows that only if the document still has that
 * state.
 */
export class RethinkLease implements LeaseStore {
  private seen: Sighting | undefined;

  constructor(
    private readonly session: RethinkSession,
    private readonly table: () => RTable,
    private readonly clock: Clock,
  ) {}

  acquire({ owner, candidateId, ttl, floor }: LeaseClaim & { floor: number }): Promise<LeaseView> {
    const { r } = this.session;
    const ended = this.ended();
    return this.replace((row) => {
      const mine = ownerOf(row).eq(owner);
      const vacant = r.and(
        ownerOf(row).eq(null as never),
        r.or(successorOf(row).eq(null as never), successorOf(row).eq(candidateId)),
      );
      const now = r.now().toEpochTime().mul(1_000).floor();
      const higher = r.expr([row('term').default(0).add(1), floor + 1, now]).max();
      return r.branch(
        r.or(mine, vacant, ended(row)),
        {
          id: LEASE_ID,
          owner,
          leader: candidateId,
          term: r.branch(mine, row('term').default(0), higher),
          successor: r.branch(mine, successorOf(row), null as never),
          ...beginning(row, ttl),
        },
        row,
      );
    });
  }

  renew({ owner, ttl }: LeaseClaim): Promise<LeaseView> {
    const { r } = this.session;
    return this.replace((row) =>
      r.branch(ownerOf(row).eq(owner), row.merge(beginning(row, ttl)) as RDatum, row),
    );
  }

  async release({ owner, ttl }: LeaseClaim): Promise<void> {
    const { r } = this.session;
    await this.replace((row) => {
      const released = row.merge({ owner: null, leader: null, ...beginning(row, ttl) }) as RDatum;
      return r.branch(ownerOf(row).eq(owner), released, row);
    });
  }

  async nominate(candidateId: string, ttl: number): Promise<void> {
    const { r } = this.session;
    const ended = this.ended();
    await this.replace((row) => {
      const held = r.and(ownerOf(row).ne(null as never), r.not(ended(row)));
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
          ...beginning(row, ttl),
        },
      );
    });
  }

  /**
   * Takes in a change of the document from the feed, renewals included, so that the end of a lease is known without a read.
   * @returns whether the owner or the nomination changed.
   */
  heard(before: Partial<LeaseDocument> | null, after: Partial<LeaseDocument> | null): boolean {
    const { term = 0, seq = 0 } = after ?? {};
    const { seen } = this;
    // The feed may lag behind the last read.
    if (!seen || term > seen.term || (term === seen.term && seq > seen.seq))
      this.see(after as LeaseDocument | null);
    return (['owner', 'term', 'successor'] as const).some((field) => before?.[field] !== after?.[field]);
  }

  /** @returns a test whether a document has the state whose lease has ended by now, if there is one. */
  private ended(): (row: RDatum) => RDatum<boolean> {
    const { r } = this.session;
    const { seen } = this;
    if (!seen || this.remaining(seen) > 0) return () => r.expr(false) as unknown as RDatum<boolean>;
    return (row) => r.and(row('term').default(0).eq(seen.term), row('seq').default(0).eq(seen.seq));
  }

  private remaining({ at, ttl }: Sighting): number {
    return Math.max(0, at + ttl - this.clock.now());
  }

  /** @param change Returns the new document for the current one, which is `null` when there is none. */
  private async replace(change: (row: RDatum) => RDatum): Promise<LeaseView> {
    const replaced = this.table()
      .get(LEASE_ID)
      .replace(change, { returnChanges: 'always', durability: 'hard' });
    const {
      changes,
      errors,
      first_error: problem,
    } = await this.session.run<{
      changes?: { new_val: LeaseDocument | null }[];
      errors: number;
      first_error?: string;
    }>(replaced as unknown as RDatum);
    if (errors > 0) throw new Error(`RethinkDB refused: ${problem}`);
    return this.viewOf(changes?.[0]?.new_val ?? null);
  }

  private viewOf(document: LeaseDocument | null): LeaseView {
    if (!document) return { owner: null, leaderId: null, term: 0, remaining: 0, successor: null };
    const { owner, leader, term, successor } = document;
    const seen = this.see(document)!;
    // A vacant lease without a successor is free at once.
    const remaining = owner === null && successor === null ? 0 : this.remaining(seen);
    const held = remaining > 0;
    return { owner: held ? owner : null, leaderId: held ? leader : null, term, remaining, successor };
  }

  private see(document: LeaseDocument | null): Sighting | undefined {
    if (document && (this.seen?.term !== document.term || this.seen.seq !== document.seq)) {
      const { term, seq, ttl } = document;
      this.seen = { term, seq, ttl: readLeaseLength(ttl) ?? MAX_LEASE, at: this.clock.now() };
    }
    return this.seen;
  }
}

const ownerOf = (row: RDatum): RDatum => row('owner').default(null);
const successorOf = (row: RDatum): RDatum => row('successor').default(null);
const beginning = (row: RDatum, ttl: number) => ({ seq: row('seq').default(0).add(1), ttl });
