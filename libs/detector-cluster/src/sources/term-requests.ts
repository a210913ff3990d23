import type {
  ExplicitSubscriptions,
  ExplicitSubscriptionStore,
  HeldSubscription,
} from './explicit-subscription-store.js';
import type { Requester } from './stored-subscription.js';
import type { Opener } from './stream-secrets.js';
import { parseSubscription, type SkippedDisplay } from '@detector-cluster/placement/internal';

/**
 * How long a request stays in Redis after its process has ended: a process that was only frozen, or cut off, has it again when it
 * returns. Milliseconds.
 */
const GRACE = 3_600_000;

const nameOf = ({ processId, bootId }: Requester): string => JSON.stringify([processId, bootId]);

/** What is requested, without the requests whose processes have ended. */
export interface LiveRequests extends ExplicitSubscriptions {
  /** Requests of processes that have ended, by subscription. */
  readonly ended: ReadonlyMap<string, SkippedDisplay>;
}

export interface TermRequestsOptions {
  readonly explicit: Pick<ExplicitSubscriptionStore, 'list' | 'removeHeld'>;
  /** Decrypts what requesters have encrypted for this term. */
  readonly opener: Opener;
  /** The processes of the cluster. */
  readonly processes: () => Promise<readonly Requester[]>;
  /** Monotonic milliseconds. Default `performance.now`. */
  readonly now?: () => number;
}

/** The requests of `subscribeToCamera` as the master of one term reads them. */
export class TermRequests {
  /** Process that has ended → since when this master knows it. */
  private endedSince = new Map<string, number>();
  private requesters: ReadonlySet<string> = new Set();

  constructor(private readonly options: TermRequestsOptions) {}

  /** Whether the process holds requests: then {@link list} changes when it joins or ends. */
  isRequester(processId: string): boolean {
    return this.requesters.has(processId);
  }

  async list(): Promise<LiveRequests> {
    const { explicit, opener, processes } = this.options;
    const requests = await explicit.list(opener);
    const { held } = requests;
    this.requesters = new Set(held.map(({ requester }) => requester.processId));
    const live = new Set(held.length === 0 ? [] : (await processes()).map(nameOf));
    const ended = held.filter(({ requester }) => !live.has(nameOf(requester)));
    await this.removeOld(ended);
    const rows = new Map(ended.map((one) => [one.subscriptionIdentifier, rowOf(one)]));
    return {
      ...requests,
      subscriptions: requests.subscriptions.filter((one) => !rows.has(one.subscriptionIdentifier)),
      redacted: requests.redacted.filter(({ spec }) => !rows.has(spec.subscriptionIdentifier)),
      ended: rows,
    };
  }

  private async removeOld(ended: readonly HeldSubscription[]): Promise<void> {
    const { explicit, now = () => performance.now() } = this.options;
    const at = now();
    const since = ({ requester }: HeldSubscription) => this.endedSince.get(nameOf(requester)) ?? at;
    this.endedSince = new Map(ended.map((one) => [nameOf(one.requester), since(one)]));
    await explicit.removeHeld(ended.filter((one) => at - since(one) >= GRACE));
  }
}

function rowOf({ subscriptionIdentifier, requester }: HeldSubscription): SkippedDisplay {
  return {
    ...parseSubscription(subscriptionIdentifier),
    reason: 'requester-ended',
    detail: `the process ${requester.processId}, which requested ${subscriptionIdentifier} without the option secret, has ended`,
  };
}
