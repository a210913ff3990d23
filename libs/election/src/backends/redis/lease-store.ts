import type { Redis } from 'ioredis';
import type { Candidate } from '../../contract/candidate.js';
import { boundedCall } from './connection/bounded-call.js';
import type { ElectionKeys } from './election-keys.js';
import { RedisScript } from './connection/redis-script.js';
import { acquire, look, release, renew } from './scripts/scripts.generated.js';

/** What the store says about the lease. */
export type LeaseReply =
  | { readonly kind: 'granted'; readonly term: number }
  /** `ttl` in milliseconds, -1 without one. */
  | { readonly kind: 'held'; readonly owner: string; readonly term: number; readonly ttl: number }
  | { readonly kind: 'vacant'; readonly term: number }
  /** `wait` in milliseconds. */
  | { readonly kind: 'restarted'; readonly wait: number };

const ReplyCode = { Refused: 0, Granted: 1, Restarted: -1 } as const;

type Claim = [code: number, owner?: string | number, term?: string, ttl?: number];

const acquireScript = new RedisScript<Claim>(acquire, { allowOom: true });
const renewScript = new RedisScript<Claim>(renew, { allowOom: true });
const releaseScript = new RedisScript<number>(release, { allowOom: true });
const lookScript = new RedisScript<
  [owner: string | null, term: string | null, ttl?: number, seq?: string, mode?: string]
>(look);

/** Only leases are granted: a leader is replaced when its lease has run out, never before. */
const MODE = 'lease';

/** The lease record of one election, as typed calls. Each is bounded in time and safe to repeat. */
export class LeaseStore {
  constructor(
    private readonly redis: Redis,
    private readonly keys: ElectionKeys,
    private readonly lockTtl: number,
    private readonly commandTimeout: number,
  ) {}

  /** Takes the lease if it is free. `floor` is the highest term the candidate has seen. */
  async acquire(owner: string, candidate: Candidate, floor: number): Promise<LeaseReply> {
    const quiet = Math.ceil(this.lockTtl / 1_000) + 1;
    const { lease, master, heartbeat, term, changed } = this.keys;
    const reply = await this.bounded(() =>
      acquireScript.run(
        this.redis,
        [lease, master, heartbeat, term],
        [owner, candidate.id, this.lockTtl, floor, quiet, changed, MODE],
      ),
    );
    return this.read(reply);
  }

  async renew(owner: string, candidate: Candidate, term: number): Promise<LeaseReply> {
    const { lease, master, heartbeat } = this.keys;
    const reply = await this.bounded(() =>
      renewScript.run(
        this.redis,
        [lease, master, heartbeat],
        [owner, String(term), candidate.id, this.lockTtl],
      ),
    );
    return this.read(reply, term);
  }

  /** Does not wait for a connection: where there is none, the lease runs out by itself. */
  async release(owner: string): Promise<void> {
    const { lease, master, heartbeat, changed } = this.keys;
    await releaseScript.run(this.redis, [lease, master, heartbeat], [owner, changed]);
  }

  async look(): Promise<LeaseReply> {
    const [owner, term, ttl] = await this.bounded(() =>
      lookScript.run(this.redis, [this.keys.lease, this.keys.term], []),
    );
    return owner === null
      ? { kind: 'vacant', term: Number(term ?? 0) }
      : { kind: 'held', owner, term: Number(term), ttl: ttl ?? -1 };
  }

  private read([code, owner, term, ttl]: Claim, vacantTerm = 0): LeaseReply {
    if (code === ReplyCode.Granted) return { kind: 'granted', term: Number(term) };
    if (code === ReplyCode.Restarted) return { kind: 'restarted', wait: Number(owner) };
    if (owner === undefined) return { kind: 'vacant', term: vacantTerm };
    return { kind: 'held', owner: String(owner), term: Number(term), ttl: ttl ?? -1 };
  }

  private bounded<Reply>(call: () => Promise<Reply>): Promise<Reply> {
    return boundedCall(this.redis, this.commandTimeout, call);
  }
}
