import type { GuardedCommand } from '@detector-cluster/election/fence';
import { FencedError } from '@detector-cluster/election/fence';
import type { FencedStore } from '../../store/fenced-store.js';
import type { ClusterKeys } from '../../store/cluster-keys.js';
import type { ClusterEvent, ClusterHappening } from '../../model/cluster-event.js';

/** About this many events are kept. */
const KEPT = 10_000;
/** Maximum backlog while Redis is unavailable; beyond it the oldest events are dropped. */
const MOST_WAITING = 1_000;
/** Events within this time are written together. Milliseconds. */
const GATHER = 100;

/** Writes the history of the cluster to the capped stream `worker:events`, for people. */
export class EventJournal {
  private waiting: ClusterEvent[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing = false;
  private closed = false;

  constructor(
    private readonly store: FencedStore,
    private readonly keys: Pick<ClusterKeys, 'events'>,
  ) {}

  add(happening: ClusterHappening): void {
    if (this.closed) return;
    this.waiting.push({ ...happening, at: new Date().toISOString() });
    if (this.waiting.length > MOST_WAITING) this.waiting.shift();
    this.arm(GATHER);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  private arm(wait: number): void {
    if (this.closed || this.writing || this.timer !== undefined) return;
    this.timer = setTimeout(() => void this.flush(), wait);
  }

  private async flush(): Promise<void> {
    this.timer = undefined;
    this.writing = true;
    const events = this.waiting;
    this.waiting = [];
    let wait = GATHER;
    try {
      await this.store.write(events.map((event) => this.append(event)));
    } catch (error) {
      if (error instanceof FencedError) this.close();
      // If they were written and only the answer was lost, they now occur twice, which does no harm here.
      this.waiting = [...events, ...this.waiting].slice(-MOST_WAITING);
      wait = 1_000;
    }
    this.writing = false;
    if (this.waiting.length > 0) this.arm(wait);
  }

  private append({ type, at, ...details }: ClusterEvent): GuardedCommand {
    return [
      'XADD',
      this.keys.events,
      'MAXLEN',
      '~',
      KEPT,
      '*',
      'type',
      type,
      'at',
      at,
      'term',
      this.store.term,
      'details',
      JSON.stringify(details),
    ];
  }
}
