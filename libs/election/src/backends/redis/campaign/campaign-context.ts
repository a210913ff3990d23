import type { Candidate } from '../../../contract/election-backend.js';
import type { CampaignMemory } from '../../../lease/campaign-memory.js';
import type { Condition } from '../../../util/condition.js';
import type { LeaseStore } from '../lease/lease-store.js';
import type { ProcessPresence } from '../presence/presence-timing.js';
import type { ResolvedRedisElectionOptions } from '../redis-election-options.js';

/** What the parts of one campaign share. */
export interface CampaignContext {
  readonly store: LeaseStore;
  readonly options: ResolvedRedisElectionOptions;
  readonly candidate: Candidate;
  readonly memory: CampaignMemory;
  /** Ends the campaign. */
  readonly signal: AbortSignal;
  /** Woken when something may have happened that the campaign should look at. */
  readonly condition: Condition;
  /** Without it, the candidate claims only leases that rest on time, and never replaces a leader for being absent. */
  readonly presence: ProcessPresence | undefined;
}
