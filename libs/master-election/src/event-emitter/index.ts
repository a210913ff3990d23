export { electionEventName } from './election-event-name.js';
export { forwardElectionEvents } from './forward-election-events.js';
export type { ForwardedEvent } from './forwarded-event.js';
export type { MasterElectionEventEmitterOptions } from './master-election-event-emitter-options.js';
export { MasterElectionEventEmitterModule } from './master-election-event-emitter.module.js';
