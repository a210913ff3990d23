import type { SkippedDisplay } from '../desired/desired-state-source.js';
import type { ActualCameraSubscription } from './subscriptions.js';

/** What runs, and what does not and why. */
export interface ClusterSubscriptions {
  /** Sorted by identifier. */
  subscriptions: ActualCameraSubscription[];
  /** Displays in the database that yield no subscription. */
  skipped: SkippedDisplay[];
}
