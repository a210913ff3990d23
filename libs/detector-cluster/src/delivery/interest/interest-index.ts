import { RedisScript } from '@detector-cluster/election/redis';
import { asError } from '../as-error.js';
import { parseInterestRecord } from './interest-record.js';
import { markSeen } from '../scripts/scripts.generated.js';
import type { RouterContext } from '../router/router-context.js';

const markScript = new RedisScript<number>(markSeen);
const NOBODY: readonly string[] = [];

export interface MemberLook {
  /** Whether a process can be sent to, and will not be forgotten as one that is gone. */
  serves(processId: string): boolean;
  /** Looks who is there: a process that has just started may listen before this master has heard of it. */
  read(): Promise<void>;
}

/**
 * Which processes have listeners for a subscription, as they wrote it to Redis. Kept up to date by their hints, and by
 * reading it anew every now and then: a hint can be lost.
 */
export class InterestIndex {
  private bySubscription = new Map<string, string[]>();
  private reading: Promise<void> | undefined;
  private again = false;
  private begun = false;

  constructor(
    private readonly context: RouterContext,
    private readonly members: MemberLook,
  ) {}

  interested(subscriptionIdentifier: string): readonly string[] {
    return this.bySubscription.get(subscriptionIdentifier) ?? NOBODY;
  }

  /** Reads all interests for the first time. Rejects when Redis cannot be reached. */
  async begin(): Promise<void> {
    this.again = false;
    await this.refresh();
    this.begun = true;
    if (!this.again) return;
    this.again = false;
    this.refreshSoon();
  }

  /** Reads all interests and confirms to the processes what has changed. */
  private async refresh(): Promise<void> {
    const { deposed, keys, redis, term } = this.context;
    const { members } = this;
    const [all, seen] = await Promise.all([redis.hgetall(keys.interests), redis.hgetall(keys.interestsSeen)]);
    const records = Object.entries(all).flatMap(([processId, json]) => {
      const record = parseInterestRecord(json);
      return record === null ? [] : [{ processId, ...record }];
    });
    const isStranger = ({ processId, subscriptions }: (typeof records)[number]) =>
      subscriptions.length > 0 && !members.serves(processId);
    if (records.some(isStranger)) await members.read().catch((error: unknown) => this.report(error));
    const bySubscription = new Map<string, string[]>();
    const unseen: (string | number)[] = [];
    for (const record of records) {
      const { processId, version, subscriptions } = record;
      // Confirmed is what detections are sent by.
      if (Number(seen[processId]) !== version && !isStranger(record)) unseen.push(processId, version);
      for (const subscription of subscriptions) {
        const processes = bySubscription.get(subscription);
        if (processes === undefined) bySubscription.set(subscription, [processId]);
        else processes.push(processId);
      }
    }
    this.bySubscription = bySubscription;
    if (unseen.length === 0) return;
    if ((await markScript.run(redis, [keys.fence, keys.interestsSeen], [term, ...unseen])) < 0) deposed();
  }

  /** Resolves when what was written before the call is known, or cannot be read. Never rejects. */
  async refreshed(): Promise<void> {
    // One that is under way may have missed it.
    await this.reading;
    this.refreshSoon();
    await this.reading;
  }

  /** Reads them again, once {@link begin} has read them for the first time. */
  refreshSoon(): void {
    if (this.context.signal.aborted) return;
    if (!this.begun || this.reading !== undefined) {
      this.again = true;
      return;
    }
    this.reading = this.refresh()
      .catch((error: unknown) => this.report(error))
      .finally(() => {
        this.reading = undefined;
        if (!this.again) return;
        this.again = false;
        this.refreshSoon();
      });
  }

  private report(error: unknown): void {
    if (!this.context.signal.aborted) this.context.onEvent({ type: 'redis-error', error: asError(error) });
  }
}
