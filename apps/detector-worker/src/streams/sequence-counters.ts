import { Injectable } from '@nestjs/common';

/** One rising number per subscription, for the life of the process: a subscription that comes back counts on. */
@Injectable()
export class SequenceCounters {
  readonly #last = new Map<string, number>();

  /** 1 the first time. */
  next(subscriptionIdentifier: string): number {
    const sequence = this.last(subscriptionIdentifier) + 1;
    this.#last.set(subscriptionIdentifier, sequence);
    return sequence;
  }

  /** The last number of each subscription that there ever was. */
  all(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#last);
  }

  /** 0 when none was given out yet. */
  last(subscriptionIdentifier: string): number {
    return this.#last.get(subscriptionIdentifier) ?? 0;
  }
}
