import type { MasterElectionEvents } from '../master-election-events.js';

/** Events that are forwarded: all except `lease-renewed`, which is emitted several times a second. */
export type ForwardedEvent = Exclude<keyof MasterElectionEvents, 'lease-renewed'>;
