export {
  GroupMembershipEventEmitterModule,
  groupEventName,
  type ForwardedGroupEvent,
} from './group-membership-event-emitter.module.js';
