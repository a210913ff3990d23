import { RedisLease, RedisScript } from '@detector-cluster/election/internal/redis';
import { COMMAND_TIMEOUT } from '@detector-cluster/election/redis';
import type { LeaseClaim, LeaseView, NewLeaseClaim } from '@detector-cluster/election/lease';
import type { Redis } from 'ioredis';
import { complete } from './scripts.generated.js';

const completeScript = new RedisScript<number>(complete);

/** The owner of work that is done. Its lease does not end. */
const DONE = 'done';

/**
 * The permanent record of one piece of work, `<lockName>:once:<key>`, with the lease of the process that does it. Calls are bounded in
 * time and safe to repeat.
 */
export class OnceStore extends RedisLease {
  /** Resolves when a call finds that the work is done. */
  readonly done: Promise<'done'>;
  private onDone!: (done: 'done') => void;
  /** The owner of the last claim. */
  private owner = '';

  constructor(redis: Redis, lockName: string, key: string) {
    super(() => redis, `${lockName}:once:${key}`, '', COMMAND_TIMEOUT);
    this.done = new Promise((resolve) => (this.onDone = resolve));
  }

  override async acquire(claim: NewLeaseClaim): Promise<LeaseView> {
    this.owner = claim.owner;
    return this.saw(await super.acquire(claim));
  }

  override async renew(claim: LeaseClaim): Promise<LeaseView> {
    return this.saw(await super.renew(claim));
  }

  /** Records that the work is done. Returns false when another claim has succeeded that of this term. */
  async complete(term: number): Promise<boolean> {
    return (await this.run(completeScript, [this.owner, term, DONE])) === 1;
  }

  private saw(view: LeaseView): LeaseView {
    if (view.owner === DONE) this.onDone(DONE);
    return view;
  }
}
