import { randomBytes } from 'node:crypto';
import { endOfPrefix, type EtcdHeader, type EtcdKeyValue, type Int64, type RequestOp } from './etcd-api.js';
import type { EtcdConnection, LeaseRenewal } from './etcd-connection.js';
import type { EtcdWatch } from './etcd-watch.js';
import type { EtcdElectionKeys } from './etcd-election-keys.js';
import { writeLeaderRecord, type LeaderRecord } from './etcd-memory.js';

/** A candidate's place in the queue: a key that lives as long as its lease. */
export interface Place {
  readonly lease: Int64;
  readonly key: string;
  /** When it was taken, as a revision of the store; `undefined` until that is known. */
  readonly createRevision: number | undefined;
}

/** The queue at one moment, as a majority of the cluster knows it. */
export interface QueueView {
  readonly header: EtcdHeader;
  /** Whether the own place is there. */
  readonly present: boolean;
  /** Who came first, and so leads. */
  readonly first: { readonly key: string; readonly createRevision: number } | undefined;
  /** Key of the place before the own one. */
  readonly before: string | undefined;
  readonly leader: Versioned;
  readonly termOffset: Versioned;
}

/** A value with the revision of its last change, 0 where there is none. */
interface Versioned {
  readonly text: string | undefined;
  readonly modRevision: number;
}

/** The queue of candidates in etcd. */
export class EtcdQueue {
  /** @param ttl Of a place, whole seconds. */
  constructor(
    private readonly connection: EtcdConnection,
    private readonly keys: EtcdElectionKeys,
    private readonly ttl: number,
  ) {}

  /** A new place, not yet taken. The client chooses the lease id, so that it can safely retry taking the place. */
  newPlace(): Place {
    const lease = randomBytes(8).readBigUInt64BE() & 0x7fff_ffff_ffff_ffffn;
    return { lease: `${lease}`, key: this.keys.candidates + lease.toString(16), createRevision: undefined };
  }

  /** Takes the place, at the end of the queue. If an earlier call whose answer was lost has taken it, the place does not move. */
  async take(place: Place, candidateId: string): Promise<Place> {
    const { lease, key } = place;
    // Waiting costs nothing here, and many candidates may come at once.
    const timeout = this.ttl * 1_000;
    await this.connection
      .call('/etcdserverpb.Lease/LeaseGrant', { ID: lease, TTL: this.ttl }, timeout)
      .catch((error: Error) => {
        if (!/lease already exists/.test(error.message)) throw error;
      });
    const { succeeded, header, responses } = await this.connection.call(
      '/etcdserverpb.KV/Txn',
      {
        compare: [{ target: 'CREATE', result: 'EQUAL', key: bytes(key), create_revision: 0 }],
        success: [{ request_put: { key: bytes(key), value: bytes(candidateId), lease } }],
        failure: [{ request_range: { key: bytes(key) } }],
      },
      timeout,
    );
    const revision = succeeded ? header.revision : kvsOf(responses[0])[0]!.create_revision;
    return { ...place, createRevision: Number(revision) };
  }

  renew({ lease }: Place): Promise<LeaseRenewal> {
    return this.connection.keepAlive(lease);
  }

  /** @param place The own one. */
  async read(place?: Place): Promise<QueueView> {
    const { candidates, leader, termOffset } = this.keys;
    const all = {
      key: bytes(candidates),
      range_end: endOfPrefix(candidates),
      limit: 1,
      sort_target: 'CREATE' as const,
    };
    const success: RequestOp[] = [
      { request_range: { ...all, sort_order: 'ASCEND' } },
      { request_range: { key: bytes(leader) } },
      { request_range: { key: bytes(termOffset) } },
    ];
    if (place?.createRevision !== undefined)
      success.push(
        { request_range: { key: bytes(place.key) } },
        { request_range: { ...all, sort_order: 'DESCEND', max_create_revision: place.createRevision - 1 } },
      );
    const { header, responses } = await this.connection.call('/etcdserverpb.KV/Txn', { success });
    const [[first], [record], [offset], [own], [before]] = [0, 1, 2, 3, 4].map((i) =>
      kvsOf(responses[i]),
    ) as [EtcdKeyValue[], EtcdKeyValue[], EtcdKeyValue[], EtcdKeyValue[], EtcdKeyValue[]];
    return {
      header,
      present: own !== undefined && Number(own.create_revision) === place?.createRevision,
      first: first && { key: first.key.toString(), createRevision: Number(first.create_revision) },
      before: before?.key.toString(),
      leader: versioned(record),
      termOffset: versioned(offset),
    };
  }

  /** Writes the leader's record, if the place still exists and the record has not changed since `seen`. */
  async announce(place: Place, record: LeaderRecord, seen: QueueView): Promise<void> {
    const { key, createRevision, lease } = place;
    const { leader } = this.keys;
    await this.connection.call('/etcdserverpb.KV/Txn', {
      compare: [
        { target: 'CREATE', result: 'EQUAL', key: bytes(key), create_revision: createRevision! },
        { target: 'MOD', result: 'EQUAL', key: bytes(leader), mod_revision: seen.leader.modRevision },
      ],
      success: [{ request_put: { key: bytes(leader), value: bytes(writeLeaderRecord(record)), lease } }],
    });
  }

  /** Raises later terms by this offset, unless another candidate has changed the offset since `seen`. */
  async raiseTermOffset(offset: number, seen: QueueView): Promise<void> {
    const { termOffset } = this.keys;
    await this.connection.call('/etcdserverpb.KV/Txn', {
      compare: [
        { target: 'MOD', result: 'EQUAL', key: bytes(termOffset), mod_revision: seen.termOffset.modRevision },
      ],
      success: [{ request_put: { key: bytes(termOffset), value: bytes(String(offset)) } }],
    });
  }

  /** @throws EtcdError when a renewal and a later look at the queue were not made in one reign of the cluster's own leader. */
  checkReign(renewed: EtcdHeader, looked: EtcdHeader): void {
    this.connection.checkReign(renewed, looked);
  }

  /** Says that the leader of that term hands over; those who watch so know that its place was not lost. */
  async sayReleased(
    { key, createRevision }: Place,
    { term, ttl }: Pick<LeaderRecord, 'term' | 'ttl'>,
  ): Promise<void> {
    await this.connection.call('/etcdserverpb.KV/Txn', {
      compare: [{ target: 'CREATE', result: 'EQUAL', key: bytes(key), create_revision: createRevision! }],
      success: [
        {
          request_put: {
            key: bytes(this.keys.leader),
            value: bytes(writeLeaderRecord({ id: null, term, ttl })),
          },
        },
      ],
    });
  }

  /** Leaves a place. */
  async leave(lease: Int64): Promise<void> {
    await this.connection.call('/etcdserverpb.Lease/LeaseRevoke', { ID: lease }).catch((error: Error) => {
      if (!/lease not found/.test(error.message)) throw error;
    });
  }

  /** Reports the changes after `view` to a place and to the keys that all candidates watch. */
  watch(key: string | undefined, view: QueueView): Promise<EtcdWatch> {
    const ranges = [{ key: this.keys.state, prefix: true }, ...(key === undefined ? [] : [{ key }])];
    return this.connection.watch(ranges, Number(view.header.revision) + 1);
  }
}

function bytes(text: string): Buffer {
  return Buffer.from(text);
}

function kvsOf(
  response: { response_range?: { kvs: readonly EtcdKeyValue[] } } | undefined,
): readonly EtcdKeyValue[] {
  return response?.response_range?.kvs ?? [];
}

function versioned(kv: EtcdKeyValue | undefined): Versioned {
  return { text: kv?.value.toString(), modRevision: Number(kv?.mod_revision ?? 0) };
}
