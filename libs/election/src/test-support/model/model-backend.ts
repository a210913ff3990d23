import type { CampaignContext } from '../../backends/redis/campaign/campaign-context.js';
import { RedisCampaign } from '../../backends/redis/campaign/redis-campaign.js';
import type { Candidate } from '../../contract/candidate.js';
import type { ElectionBackend } from '../../contract/election-backend.js';
import type { ElectionState } from '../../contract/election-state.js';
import { Condition } from '../../util/condition.js';

type LeaderState = Extract<ElectionState, { role: 'leader' }>;

export interface BackendProbe {
  /** Changes what the campaign says; for defects. */
  said(state: ElectionState): ElectionState;
  /** The reader of the states has processed a leader state. */
  led(state: LeaderState): void;
}

/** Runs the real campaign as the real backend does, on connections of the model. */
export class ModelBackend implements ElectionBackend {
  readonly name = 'model';
  /** Campaigns in progress. */
  campaigns = 0;
  current: RedisCampaign | undefined;

  constructor(
    private readonly context: Omit<CampaignContext, 'candidate' | 'signal' | 'condition'>,
    private readonly probe: BackendProbe,
  ) {}

  async *campaign(candidate: Candidate, signal: AbortSignal): AsyncGenerator<ElectionState> {
    this.campaigns++;
    const condition = new Condition(this.context.options.clock);
    const campaign = new RedisCampaign({ ...this.context, candidate, signal, condition }, signal);
    this.current = campaign;
    try {
      for await (const state of campaign.states()) {
        const said = this.probe.said(state);
        yield said;
        if (said.role === 'leader') this.probe.led(said);
      }
    } finally {
      this.campaigns--;
      if (this.current === campaign) this.current = undefined;
    }
  }

  async resign(): Promise<void> {
    await this.current?.resign();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
