import { StoreRestartedError } from '@detector-cluster/election';
import { RedisScript, ServerAge } from '@detector-cluster/election/internal/redis';
import { boundedCall } from '@detector-cluster/election/redis';
import { MAX_LEASE, onFastestClock, readLeaseLength } from '@detector-cluster/election/internal';
import type { Redis } from 'ioredis';
import type { LeaseClaim, LeaseStore, LeaseView, NewLeaseClaim } from '../../lease/lease-store.js';
import { acquireLease, nominateSuccessor, releaseLease, renewLease } from './scripts.generated.js';

type ViewReply = [
  owner: string,
  leader: string,
  term: string,
  remaining: number,
  successor: string,
  ttl: number,
];
type RestartedReply = [code: -1, wait: number, runId: string];

const acquireScript = new RedisScript<ViewReply | RestartedReply>(acquireLease, { allowOom: true });
const renewScript = new RedisScript<ViewReply>(renewLease, { allowOom: true });
const releaseScript = new RedisScript<number>(releaseLease, { allowOom: true });
const nominateScript = new RedisScript<null>(nominateSuccessor, { allowOom: true });

const isRestarted = (reply: ViewReply | RestartedReply): reply is RestartedReply => reply[0] === -1;

const orNull = (text: string) => (text === '' ? null : text);

/** The lease as a hash in Redis; one script for each call. */
export class RedisLease implements LeaseStore {
  private readonly age = new ServerAge();

  /** @param timeout Timeout of each call. Milliseconds. */
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

  async nominate(candidateId: string, ttl: number): Promise<void> {
    await this.run(nominateScript, [candidateId, ttl, this.channel]);
  }

  private run<Reply>(script: RedisScript<Reply>, args: (string | number)[]): Promise<Reply> {
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
