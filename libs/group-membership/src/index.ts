export { createGroupMember, type GroupOptions } from './create-group-member.js';
export { GroupMember } from './member/group-member.js';
export type {
  CoreGroupOptions,
  DetectorName,
  GroupMemberEvents,
  GroupMemberOptions,
  GroupTimes,
} from './member/group-options.js';
export { InvalidGroupOptionsError } from './member/resolve-group-options.js';
export { AddressInUseError, JoinError, type JoinFailure } from './member/join-group.js';
export { type LeaderInfo, type LeaderRecord, UnreadableRecordError } from './store/leader-record.js';
export type { Member, MemberStatus } from './view/member-view.js';
export type { GroupLease } from './session/session-port.js';
export {
  type AtomicLeaderStore,
  isAtomic,
  type LeaderStore,
  LeaderStoreError,
  TextLeaderStore,
  MemoryLeaderStore,
  StandaloneLeaderStore,
} from './store/leader-store.js';
export { FRAME_FAULTS, type FrameFault } from './transport/frame-codec.js';
export type { WsTransport } from './transport/ws-transport.js';
export type { GroupTls, WsTransportOptions } from './transport/ws-options.js';
export {
  type Transport,
  messageSchema,
  WIRE_VERSION,
  type GroupMessage,
  type MessageType,
} from './transport/message.js';
