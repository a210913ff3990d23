export { electionEventName, forwardElectionEvents, type ForwardedEvent } from './forward-election-events.js';
export {
  type MasterElectionEventEmitterOptions,
  MasterElectionEventEmitterModule,
} from './master-election-event-emitter.module.js';
