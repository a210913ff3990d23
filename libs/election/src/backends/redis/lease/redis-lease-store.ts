import type { Redis } from 'ioredis';
import { boundedCall } from '../connection/bounded-call.js';
import { RedisScript } from '../../../util/redis-script.js';
import { ServerAge } from '../connection/server-age.js';
import type { ElectionKeys } from '../election-keys.js';
import { MAX_LEASE, onFastestClock, readLeaseLength } from '../../../util/clock.js';
import type { Claimant, ClaimedLease, HeldLease, LeaseMode, LeaseReply, LeaseStore } from './lease-store.js';
import { acquire, confirm, look, release } from './scripts.generated.js';

type Reply =
  | [code: 1, owner: string, term: string, mode: LeaseMode, listeners: number]
  | [
      code: 0,
      owner?: string | null,
      term?: string | null,
      mode?: LeaseMode,
      seq?: string,
      listeners?: number,
      ttl?: number,
      validity?: string | null,
    ]
  | [code: 2]
  | [code: -1, wait: number, runId: string];

const acquireScript = new RedisScript<Reply>(acquire, { allowOom: true });
const confirmScript = new RedisScript<Reply>(confirm, { allowOom: true });
const releaseScript = new RedisScript<number>(release, { allowOom: true });
// Declared as a script that may write, so that a demoted server refuses it and the connection looks for the new server.
const lookScript = new RedisScript<Reply>(look, { allowOom: true });

/** How the server counts who listens to a channel: `''` leaves presence out, so that only leases are granted. */
export type PresenceCount = 'NUMSUB' | 'SHARDNUMSUB' | '';

export interface RedisLeaseStoreOptions {
  readonly lockTtl: number;
  /** How long a leader may act after it sent a confirmation, by its own clock. Milliseconds. */
  readonly validity: Readonly<Record<LeaseMode, number>>;
  readonly commandTimeout: number;
  readonly count: PresenceCount;
}

/** The lease record in Redis: one script for each call. */
export class RedisLeaseStore implements LeaseStore {
  private readonly age = new ServerAge();

  constructor(
    private readonly redis: Redis,
    private readonly keys: ElectionKeys,
    private readonly options: RedisLeaseStoreOptions,
  ) {}

  async acquire(claimant: Claimant, absent?: HeldLease): Promise<LeaseReply> {
    const { lease, master, heartbeat, term, validity, changed, presence } = this.keys;
    const { lockTtl, count } = this.options;
    const { owner, candidateId, floor, floorValidity, claimedFor } = claimant;
    const reply = await this.bounded(() =>
      acquireScript.run(
        this.redis,
        [lease, master, heartbeat, term, validity],
        [
          owner,
          candidateId,
          lockTtl,
          floor,
          changed,
          presence,
          count,
          onFastestClock(this.options.validity.lease),
          onFastestClock(this.options.validity.presence),
          absent?.owner ?? '',
          absent?.term ?? '',
          absent?.seq ?? '',
          onFastestClock(claimedFor),
          ...this.age.args,
          floorValidity,
          MAX_LEASE,
        ],
      ),
    );
    if (reply[0] === -1) this.age.saw(reply[2]);
    return read(reply);
  }

  async confirm(claimed: ClaimedLease): Promise<LeaseReply> {
    const { lease, master, heartbeat, validity, presence } = this.keys;
    const { lockTtl, count } = this.options;
    const { owner, candidateId, term, change, lapsedFor } = claimed;
    const reply = await this.bounded(() =>
      confirmScript.run(
        this.redis,
        [lease, master, heartbeat, validity],
        [
          owner,
          String(term),
          candidateId,
          lockTtl,
          presence,
          count,
          change?.mode ?? '',
          change?.number ?? 0,
          onFastestClock(lapsedFor),
          change ? onFastestClock(this.options.validity[change.mode]) : 0,
        ],
      ),
    );
    return read(reply, term);
  }

  async release(owner: string): Promise<void> {
    const { lease, master, heartbeat, validity, changed } = this.keys;
    await this.bounded(() =>
      releaseScript.run(this.redis, [lease, master, heartbeat, validity], [owner, changed]),
    );
  }

  async read(): Promise<LeaseReply> {
    const { lease, term, presence } = this.keys;
    return read(
      await this.bounded(() => lookScript.run(this.redis, [lease, term], [presence, this.options.count])),
    );
  }

  private bounded<Result>(call: () => Promise<Result>): Promise<Result> {
    return boundedCall(this.redis, this.options.commandTimeout, call);
  }
}

function read(reply: Reply, vacantTerm = 0): LeaseReply {
  switch (reply[0]) {
    case 1:
      return { kind: 'granted', term: Number(reply[2]), mode: reply[3], seen: reply[4] > 0 };
    case -1:
      return { kind: 'restarted', wait: reply[1] };
    case 2:
      return { kind: 'unseen' };
    case 0: {
      const [, owner, term, mode, seq, listeners, ttl, validity] = reply;
      if (owner === undefined || owner === null) return { kind: 'vacant', term: Number(term ?? vacantTerm) };
      return {
        kind: 'held',
        owner,
        term: Number(term),
        mode: mode === 'presence' ? 'presence' : 'lease',
        seq: seq ?? '',
        validity: readLeaseLength(validity),
        absent: listeners === 0,
        ttl: ttl === undefined || ttl < 0 ? Infinity : ttl,
      };
    }
  }
}
