/**
 * A campaign for a lease in a store with compare-and-set, for backends of your own.
 *
 * @example
 * ```ts
 * import type { LeaseStore, LeaseView } from '@detector-cluster/election/lease';
 *
 * // Each call is one compare-and-set of the store, by the clock of the store.
 * export abstract class MyLeaseStore implements LeaseStore {
 *   abstract acquire(): Promise<LeaseView>;
 *   abstract renew(): Promise<LeaseView>;
 *   abstract release(): Promise<void>;
 * }
 * ```
 * @packageDocumentation
 */
export { bounded, StoreTimeoutError } from './bounded.js';
export { CampaignSlot } from './campaign-slot.js';
export { CampaignMemory } from './campaign-memory.js';
export { LeaseBackend, type LeaseBackendOptions } from './lease-backend.js';
export { LeaseCampaign, type LeaseCampaignOptions } from './lease-campaign.js';
export type {
  LeaseClaim,
  LeaseNews,
  LeaseStore,
  LeaseView,
  LeaseWatcher,
  NewLeaseClaim,
} from './lease-store.js';
