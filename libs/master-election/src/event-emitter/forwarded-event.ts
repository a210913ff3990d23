import type { MasterElectionEvents } from '../master-election-events.js';

/** Events that are forwarded: all but `lease-renewed`, which comes several times a second. */
export type ForwardedEvent = Exclude<keyof MasterElectionEvents, 'lease-renewed'>;
