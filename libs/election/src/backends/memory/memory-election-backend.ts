import type { Candidate } from '../../contract/candidate.js';
import type { ElectionBackend } from '../../contract/election-backend.js';
import type { ElectionState } from '../../contract/election-state.js';
import { pause } from '../../util/pause.js';
import { MemoryCampaign } from './memory-campaign.js';
import type { MemoryElectionStore } from './memory-election-store.js';

/** A campaign whose states are not read any more is not waited for longer. Milliseconds. */
const PATIENCE = 1_000;

/**
 * Elects among candidates of one process, over a {@link MemoryElectionStore} that they share; for applications of one process
 * and for tests.
 *
 * A leader renews three times per `lockTtl`, may act until `lockTtl` after its last renewal, and is replaced then. One that
 * resigns or closes is replaced at once. With {@link disconnect} a test finds out what happens when a leader is cut off.
 */
export class MemoryElectionBackend implements ElectionBackend {
  readonly name = 'memory';
  private readonly store: MemoryElectionStore;
  private readonly closing = new AbortController();
  private connected = true;
  private current: MemoryCampaign | undefined;
  /** Settles when the last campaign has ended. */
  private ended: Promise<void> = Promise.resolve();

  constructor(options: { readonly store: MemoryElectionStore }) {
    this.store = options.store;
  }

  get lockTtl(): number {
    return this.store.lockTtl;
  }

  async *campaign(candidate: Candidate, signal: AbortSignal): AsyncGenerator<ElectionState> {
    if (this.current) throw new Error('a campaign of this backend is already under way');
    const either = AbortSignal.any([signal, this.closing.signal]);
    const campaign = new MemoryCampaign(this.store, candidate.id, either, signal, this.connected);
    this.current = campaign;
    let ended!: () => void;
    this.ended = new Promise((resolve) => (ended = resolve));
    try {
      yield* campaign.states();
    } finally {
      this.current = undefined;
      ended();
    }
  }

  async resign(): Promise<void> {
    this.current?.resign();
  }

  /** From now on nothing reaches the store, and nothing comes from it. */
  disconnect(): void {
    this.connected = false;
    this.current?.connect(false);
  }

  /** Undoes {@link disconnect}. */
  reconnect(): void {
    this.connected = true;
    this.current?.connect(true);
  }

  async close(): Promise<void> {
    this.closing.abort();
    const patience = new AbortController();
    await Promise.race([this.ended, pause(PATIENCE, this.store.clock, patience.signal)]);
    patience.abort();
  }
}
