/**
 * Events of the election for `@OnEvent` of `@nestjs/event-emitter`.
 *
 * @example
 * ```ts
 * import { electionEventName } from '@detector-cluster/master-election/event-emitter';
 * import { Injectable } from '@nestjs/common';
 * import { OnEvent } from '@nestjs/event-emitter';
 *
 * @Injectable()
 * export class Reports {
 *   @OnEvent(electionEventName('master-acquired'))
 *   begin() {
 *     console.log('this process is the master');
 *   }
 * }
 * ```
 * @packageDocumentation
 */
export { electionEventName, forwardElectionEvents, type ForwardedEvent } from './forward-election-events.js';
export {
  type MasterElectionEventEmitterOptions,
  MasterElectionEventEmitterModule,
} from './master-election-event-emitter.module.js';
