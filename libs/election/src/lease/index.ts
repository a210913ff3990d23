export { bounded, StoreTimeoutError } from './bounded.js';
export { CampaignMemory, CampaignSeat } from './campaign-seat.js';
export { LeaseCampaign, type LeaseCampaignOptions } from './lease-campaign.js';
export type {
  LeaseClaim,
  LeaseNews,
  LeaseStore,
  LeaseView,
  LeaseWatcher,
  NewLeaseClaim,
} from './lease-store.js';
