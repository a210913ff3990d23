import type { Redis } from 'ioredis';
import { StoreRestartedError } from '../../../contract/errors.js';
import type { LeaseClaim, LeaseStore, LeaseView, NewLeaseClaim } from '../../../lease/lease-store.js';
import { MAX_LEASE, onFastestClock, readLeaseLength } from '../../../util/clock.js';
import { RedisScript } from '../../../util/redis-script.js';
import { boundedCall } from '../connection/bounded-call.js';
import { ServerAge } from '../connection/server-age.js';
import { acquire, nominate, release, renew } from './scripts.generated.js';

type ViewReply = [
  owner: string,
  leader: string,
  term: string,
  remaining: number,
  successor: string,
  ttl: number,
];
type RestartedReply = [code: -1, wait: number, runId: string];

const acquireScript = new RedisScript<ViewReply | RestartedReply>(acquire, { allowOom: true });
const renewScript = new RedisScript<ViewReply>(renew, { allowOom: true });
const releaseScript = new RedisScript<number>(release, { allowOom: true });
const nominateScript = new RedisScript<null>(nominate, { allowOom: true });

const isRestarted = (reply: ViewReply | RestartedReply): reply is RestartedReply => reply[0] === -1;

const orNull = (text: string) => (text === '' ? null : text);

/** A lease that rests on time alone, as a hash in Redis; one script for each call. It is kept for a nominated successor after its release. */
export class RedisLease implements LeaseStore {
  private readonly age = new ServerAge();

  /**
   * @param channel Where changes of the owner are announced; '' for none.
   * @param timeout Timeout of each call. Milliseconds.
   */
  constructor(
    private readonly redis: () => Redis,
    private readonly key: string,
    private readonly channel: string,
    private readonly timeout: number,
  ) {}

  async acquire({ owner, candidateId, ttl, floor, floorTtl, claimedFor }: NewLeaseClaim): Promise<LeaseView> {
    const reply = await this.run(acquireScript, [
      owner,
      candidateId,
      ttl,
      floor,
      this.channel,
      floorTtl,
      onFastestClock(claimedFor),
      MAX_LEASE,
      ...this.age.args,
    ]);
    if (isRestarted(reply)) {
      this.age.saw(reply[2]);
      throw new StoreRestartedError(reply[1]);
    }
    return viewOf(reply);
  }

  async renew({ owner, ttl }: LeaseClaim): Promise<LeaseView> {
    return viewOf(await this.run(renewScript, [owner, ttl]));
  }

  async release({ owner, ttl }: LeaseClaim): Promise<void> {
    await this.run(releaseScript, [owner, ttl, this.channel]);
  }

  /** Nominates a successor: the holder makes way for it, and a free lease is kept for it for `ttl` ms. */
  async nominate(candidateId: string, ttl: number): Promise<void> {
    await this.run(nominateScript, [candidateId, ttl, this.channel]);
  }

  protected run<Reply>(script: RedisScript<Reply>, args: (string | number)[]): Promise<Reply> {
    const redis = this.redis();
    return boundedCall(redis, this.timeout, () => script.run(redis, [this.key], args));
  }
}

function viewOf([owner, leader, term, remaining, successor, ttl]: ViewReply): LeaseView {
  return {
    owner: orNull(owner),
    leaderId: orNull(leader),
    term: Number(term),
    remaining,
    ttl: readLeaseLength(ttl) ?? 0,
    successor: orNull(successor),
  };
}
