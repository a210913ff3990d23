import { StoreRestartedError } from '@detector-cluster/election';
import { RedisScript, ServerAge } from '@detector-cluster/election/internal/redis';
import { boundedCall, COMMAND_TIMEOUT } from '@detector-cluster/election/redis';
import { MAX_LEASE, onFastestClock, SeenLease } from '@detector-cluster/election/internal';
import type { Redis } from 'ioredis';
import { claim, complete, release } from './scripts.generated.js';

type ClaimReply =
  | [code: 2]
  | [code: 1, term: string]
  | [code: 0, term: string, left: number, ttl: number]
  | [code: -1, wait: number, runId: string];

const claimScript = new RedisScript<ClaimReply>(claim);
const completeScript = new RedisScript<number>(complete);
const releaseScript = new RedisScript<number>(release);

/** Result of a claim. */
export type OnceClaim =
  | { readonly state: 'done' }
  | { readonly state: 'held'; readonly term: number }
  /** Another process holds it for `left` ms more; 0: not held. */
  | { readonly state: 'taken'; readonly term: number; readonly left: number };

/** The permanent record of one piece of work, `<lockName>:once:<key>`. Calls are bounded in time and safe to repeat. */
export class OnceStore {
  private readonly age = new ServerAge();
  private readonly seen = new SeenLease();
  private readonly keys: readonly [string];

  constructor(
    private readonly redis: Redis,
    lockName: string,
    key: string,
    /** Length of a lease. Milliseconds. */
    private readonly leaseTtl: number,
  ) {
    this.keys = [`${lockName}:once:${key}`];
  }

  /**
   * Takes the work, or extends the lease of the same owner; with `extendOnly` it only extends.
   * @param claimedFor Time since the first claim of the owner; 0 for the first claim, or when it extends. Milliseconds.
   * @throws StoreRestartedError while a process that held the work before a restart may still run it.
   */
  async claim(owner: string, extendOnly: boolean, claimedFor = 0): Promise<OnceClaim> {
    const reply = await this.bounded(() =>
      claimScript.run(this.redis, this.keys, [
        owner,
        this.leaseTtl,
        extendOnly ? '1' : '',
        MAX_LEASE,
        onFastestClock(claimedFor),
        ...this.age.args,
        this.seen.floor,
        this.seen.validity,
      ]),
    );
    switch (reply[0]) {
      case 2:
        return { state: 'done' };
      case 1:
        return { state: 'held', term: Number(reply[1]) };
      case 0:
        this.seen.saw(Number(reply[1]), reply[3]);
        return { state: 'taken', term: Number(reply[1]), left: reply[2] };
      default:
        this.age.saw(reply[2]);
        throw new StoreRestartedError(reply[1]);
    }
  }

  /** Records that the work is done. Returns false when another process has taken it since. */
  async complete(owner: string, term: number): Promise<boolean> {
    return (await this.bounded(() => completeScript.run(this.redis, this.keys, [owner, term]))) === 1;
  }

  /** Releases the work if this owner holds it. */
  async release(owner: string): Promise<void> {
    await this.bounded(() => releaseScript.run(this.redis, this.keys, [owner]));
  }

  private bounded<Reply>(call: () => Promise<Reply>): Promise<Reply> {
    return boundedCall(this.redis, COMMAND_TIMEOUT, call);
  }
}
