import { StoreRestartedError } from '@detector-cluster/election';
import { RedisScript, ServerAge } from '@detector-cluster/election/internal/redis';
import { boundedCall, COMMAND_TIMEOUT } from '@detector-cluster/election/redis';
import { MAX_LEASE, onFastestClock } from '@detector-cluster/election/internal';
import type { LeaseClaim, LeaseStore, LeaseView, NewLeaseClaim } from '@detector-cluster/election/lease';
import type { Redis } from 'ioredis';
import { claim, complete, release } from './scripts.generated.js';

type ClaimReply =
  | [code: 2]
  | [code: 1, term: string]
  | [code: 0, term: string, left: number, ttl: number, owner: string]
  | [code: -1, wait: number, runId: string];

const claimScript = new RedisScript<ClaimReply>(claim);
const completeScript = new RedisScript<number>(complete);
const releaseScript = new RedisScript<number>(release);

/** Work that is done is never free again. */
const DONE: LeaseView = { owner: 'done', leaderId: null, term: 0, remaining: MAX_LEASE };

/**
 * The permanent record of one piece of work, `<lockName>:once:<key>`, and the lease of the process that does it. Calls are bounded in
 * time and safe to repeat.
 */
export class OnceStore implements LeaseStore {
  /** Resolves when a call finds that the work is done. */
  readonly done: Promise<'done'>;
  private onDone!: (done: 'done') => void;
  private readonly age = new ServerAge();
  private readonly keys: readonly [string];
  /** The owner of the last claim. */
  private owner = '';

  constructor(
    private readonly redis: Redis,
    lockName: string,
    key: string,
  ) {
    this.keys = [`${lockName}:once:${key}`];
    this.done = new Promise((resolve) => (this.onDone = resolve));
  }

  /** @throws StoreRestartedError while a process that held the work before a restart may still run it. */
  acquire({ owner, ttl, claimedFor, floor, floorTtl }: NewLeaseClaim): Promise<LeaseView> {
    this.owner = owner;
    return this.claim(owner, ttl, '', [onFastestClock(claimedFor), ...this.age.args, floor, floorTtl]);
  }

  renew({ owner, ttl }: LeaseClaim): Promise<LeaseView> {
    return this.claim(owner, ttl, '1', [0, '', 0, 0, 0]);
  }

  async release({ owner }: Pick<LeaseClaim, 'owner'>): Promise<void> {
    await this.bounded(() => releaseScript.run(this.redis, this.keys, [owner]));
  }

  /** Records that the work is done. Returns false when another claim has succeeded that of this term. */
  async complete(term: number): Promise<boolean> {
    const { owner } = this;
    return (await this.bounded(() => completeScript.run(this.redis, this.keys, [owner, term]))) === 1;
  }

  private async claim(
    owner: string,
    ttl: number,
    extendOnly: '' | '1',
    known: readonly (string | number)[],
  ): Promise<LeaseView> {
    const args = [owner, ttl, extendOnly, MAX_LEASE, ...known];
    const reply = await this.bounded(() => claimScript.run(this.redis, this.keys, args));
    switch (reply[0]) {
      case 2:
        this.onDone('done');
        return DONE;
      case 1:
        return { owner, leaderId: owner, term: Number(reply[1]), remaining: ttl, ttl };
      case 0: {
        const [, term, remaining, last, holder] = reply;
        const held = remaining > 0 ? holder : null;
        return { owner: held, leaderId: held, term: Number(term), remaining, ttl: last };
      }
      default:
        this.age.saw(reply[2]);
        throw new StoreRestartedError(reply[1]);
    }
  }

  private bounded<Reply>(call: () => Promise<Reply>): Promise<Reply> {
    return boundedCall(this.redis, COMMAND_TIMEOUT, call);
  }
}
