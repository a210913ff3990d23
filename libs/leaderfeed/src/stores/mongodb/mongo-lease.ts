import type { Collection, Document } from 'mongodb';
import type { LeaseClaim, LeaseStore, LeaseView } from '../../lease/lease-store.js';

/** The document of an election's lease. `until` is by the server's clock. */
interface LeaseDocument {
  readonly _id: string;
  readonly owner: string | null;
  readonly leader: string | null;
  readonly term: number;
  readonly successor: string | null;
  readonly until: Date;
}

/** The document as read, with the time of the server. */
type LeaseAnswer = LeaseDocument & { readonly now: Date };

export type LeaseCollection = Collection<LeaseDocument>;

const ID = { _id: 'lease' };
const EPOCH = new Date(0);
const NOW = '$$NOW';
const DUPLICATE_KEY = 11000;

/** A write that a majority has acknowledged survives the loss of the primary. */
const ANSWER = { returnDocument: 'after', writeConcern: { w: 'majority' } } as const;

/** Quotes text, so that the server does not read a leading `$` as an expression. */
const literal = (text: string): Document => ({ $literal: text });
const inMs = (ttl: number): Document => ({ $add: [NOW, ttl] });

/** The lease as a document; one `findAndModify` for each change, by the clock of the server. */
export class MongoLease implements LeaseStore {
  /**
   * @param collection Set while the store is open.
   * @param announce Tells subscribers that the lease's owner changed.
   * @param bounded Limits a call to its timeout.
   */
  constructor(
    private readonly collection: () => LeaseCollection,
    private readonly announce: () => Promise<void>,
    private readonly bounded: <Result>(call: Promise<Result>) => Promise<Result>,
  ) {}

  async acquire({ owner, candidateId, ttl, floor }: LeaseClaim & { floor: number }): Promise<LeaseView> {
    const mine = { $eq: ['$owner', literal(owner)] };
    const kept = { $and: [{ $eq: ['$owner', null] }, { $eq: ['$successor', literal(candidateId)] }] };
    const free = { $expr: { $or: [mine, { $lte: ['$until', NOW] }, kept] } };
    const higher = { $max: [{ $add: ['$term', 1] }, floor + 1, { $toLong: NOW }] };
    const before = await this.change(free, {
      owner: literal(owner),
      leader: literal(candidateId),
      term: { $cond: [mine, '$term', higher] },
      successor: { $cond: [mine, '$successor', null] },
      until: inMs(ttl),
      before: '$owner',
    });
    if (!before) return this.read();
    if (before.before !== owner) await this.tryAnnounce();
    return viewOf(before);
  }

  async renew({ owner, ttl }: LeaseClaim): Promise<LeaseView> {
    const renewed = owner === '' ? null : await this.change({ owner }, { until: inMs(ttl) });
    return renewed ? viewOf(renewed) : this.read();
  }

  async release({ owner, ttl }: LeaseClaim): Promise<void> {
    const until = { $cond: [{ $eq: ['$successor', null] }, EPOCH, inMs(ttl)] };
    if (await this.change({ owner }, { owner: null, leader: null, until })) await this.tryAnnounce();
  }

  async nominate(candidateId: string, ttl: number): Promise<void> {
    await this.ensure();
    const held = { $and: [{ $ne: ['$owner', null] }, { $gt: ['$until', NOW] }] };
    const leads = { $and: [held, { $eq: ['$leader', literal(candidateId)] }] };
    await this.change(
      {},
      {
        successor: { $cond: [leads, null, literal(candidateId)] },
        owner: { $cond: [held, '$owner', null] },
        leader: { $cond: [held, '$leader', null] },
        until: { $cond: [held, '$until', inMs(ttl)] },
      },
    );
    await this.announce();
  }

  /** Creates the document if it is missing. */
  async ensure(): Promise<void> {
    const vacant = { owner: null, leader: null, term: 0, successor: null, until: EPOCH };
    try {
      await this.bounded(
        this.collection().insertOne({ ...ID, ...vacant }, { writeConcern: { w: 'majority' } }),
      );
    } catch (error) {
      if ((error as { code?: unknown }).code !== DUPLICATE_KEY) throw error;
    }
  }

  private change(filter: Document, set: Document): Promise<(LeaseAnswer & { before?: string }) | null> {
    const pipeline = [{ $set: { ...set, now: NOW } }];
    const change = this.collection().findOneAndUpdate({ ...filter, ...ID }, pipeline, ANSWER);
    return this.bounded(change) as Promise<(LeaseAnswer & { before?: string }) | null>;
  }

  private async read(): Promise<LeaseView> {
    const pipeline = [{ $match: ID }, { $addFields: { now: NOW } }];
    const [found] = await this.bounded(this.collection().aggregate<LeaseAnswer>(pipeline).toArray());
    if (found) return viewOf(found);
    await this.ensure();
    return { owner: null, leaderId: null, term: 0, remaining: 0, successor: null };
  }

  /** The owner has already changed. Candidates that miss the announcement find out when they read the lease. */
  private async tryAnnounce(): Promise<void> {
    await this.announce().catch(() => undefined);
  }
}

function viewOf({ owner, leader, term, successor, until, now }: LeaseAnswer): LeaseView {
  const remaining = Math.max(0, until.getTime() - now.getTime());
  const held = remaining > 0;
  return {
    owner: held ? owner : null,
    leaderId: held ? leader : null,
    term: Number(term),
    remaining,
    successor,
  };
}
