export { createGroupMember, type GroupOptions } from './create-group-member.js';
export { GroupMember } from './member/group-member.js';
export type { GroupMemberEvents } from './member/group-member-events.js';
export type {
  CoreGroupOptions,
  DetectorName,
  GroupMemberOptions,
  GroupTimes,
} from './member/group-options.js';
export { InvalidGroupOptionsError } from './member/invalid-group-options.error.js';
export { AddressInUseError, JoinError, type JoinFailure } from './join/join.error.js';
export type { LeaderInfo } from './model/leader-info.js';
export type { Member, MemberStatus } from './model/member.js';
export type { GroupLease } from './session/session-port.js';
export { UnreadableRecordError, type LeaderRecord } from './store/leader-record.js';
export { isAtomic, type AtomicLeaderStore, type LeaderStore } from './store/leader-store.js';
export { LeaderStoreError } from './store/leader-store.error.js';
export { MemoryLeaderStore } from './store/memory-leader-store.js';
export { StandaloneLeaderStore } from './store/standalone-leader-store.js';
export { TextLeaderStore } from './store/text-leader-store.js';
export { FRAME_FAULTS, type FrameFault } from './transport/security/frame-fault.js';
export type { WsTransport } from './transport/ws/ws-transport.js';
export type { GroupTls, WsTransportOptions } from './transport/ws/ws-options.js';
export type { Transport } from './transport/transport.js';
export { messageSchema, WIRE_VERSION, type GroupMessage, type MessageType } from './wire/message.js';
