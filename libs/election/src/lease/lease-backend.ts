import type { Candidate, ElectionBackend, ElectionState } from '../contract/election-backend.js';
import { CampaignSlot } from './campaign-slot.js';
import { CampaignMemory } from './campaign-memory.js';
import { LeaseCampaign, type LeaseCampaignOptions } from './lease-campaign.js';

/** At most how long `close` waits for a campaign whose states are no longer read. Milliseconds. */
const MAX_CLOSE = 3_000;

export interface LeaseBackendOptions extends Omit<
  LeaseCampaignOptions,
  'memory' | 'candidateId' | 'signal' | 'consumer'
> {
  /** Default: what this backend has seen. */
  readonly memory?: CampaignMemory;
}

/** Elects over a lease in a store with compare-and-set. */
export class LeaseBackend implements ElectionBackend {
  private readonly memory: CampaignMemory;
  private readonly slot: CampaignSlot<LeaseCampaign>;

  constructor(private readonly options: LeaseBackendOptions) {
    this.memory = options.memory ?? new CampaignMemory();
    this.slot = new CampaignSlot(options.clock);
  }

  get name(): string {
    return this.options.name;
  }

  get lockTtl(): number {
    return this.options.timing.lockTtl;
  }

  /** The campaign that is under way. */
  get current(): LeaseCampaign | undefined {
    return this.slot.current;
  }

  campaign({ id: candidateId }: Candidate, consumer: AbortSignal): AsyncGenerator<ElectionState> {
    const { options, memory } = this;
    return this.slot.run(
      consumer,
      (signal) => new LeaseCampaign({ ...options, memory, candidateId, signal, consumer }),
    );
  }

  async resign(): Promise<void> {
    await this.current?.resign();
  }

  async close(): Promise<void> {
    await this.slot.close(Math.min(this.options.callTimeout, MAX_CLOSE));
  }
}
