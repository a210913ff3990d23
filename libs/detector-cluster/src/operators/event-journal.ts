import { FencedError, type GuardedCommand, type FencedStore } from '@detector-cluster/election/fence';
import { Repeater } from '@detector-cluster/election/internal';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import type { ClusterEvent, ClusterHappening } from '../shared/cluster-event.js';

/** About this many events are kept. */
const KEPT = 10_000;
/** Maximum backlog while Redis is unavailable; beyond it the oldest events are dropped. */
const MAX_WAITING = 1_000;
/** Events within this time are written together. Milliseconds. */
const GATHER = 100;
/** Pause after a write that failed. Milliseconds. */
const AFTER_FAILURE = 1_000;

/** Writes the history of the cluster to the capped stream `worker:events`, for people. */
export class EventJournal {
  private waiting: ClusterEvent[] = [];
  private readonly closed = new AbortController();
  private readonly writes = new Repeater({ signal: this.closed.signal, run: () => this.write() });

  constructor(
    private readonly store: FencedStore,
    private readonly keys: Pick<ClusterKeys, 'events'>,
  ) {}

  /** @param at when it happened, ISO 8601; default now */
  add(happening: ClusterHappening, at = new Date().toISOString()): void {
    if (this.closed.signal.aborted) return;
    this.waiting.push({ ...happening, at });
    if (this.waiting.length > MAX_WAITING) this.waiting.shift();
    this.writes.poke(GATHER);
  }

  close(): void {
    this.closed.abort();
  }

  private async write(): Promise<void> {
    const events = this.waiting;
    this.waiting = [];
    try {
      await this.store.write(events.map((event) => this.append(event)));
    } catch (error) {
      if (error instanceof FencedError) this.close();
      // If they were written and only the answer was lost, they now occur twice, which does no harm here.
      this.waiting = [...events, ...this.waiting].slice(-MAX_WAITING);
      this.writes.rest(AFTER_FAILURE);
      this.writes.poke(AFTER_FAILURE);
    }
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
