/**
 * Members of a group that know each other and elect a leader.
 *
 * @example
 * ```ts
 * import { createGroupMember, MemoryLeaderStore } from '@detector-cluster/group-membership';
 *
 * const { member } = createGroupMember({
 *   internalAddress: '10.0.0.7:7400', // where the other members reach this one
 *   secret: process.env.GROUP_SECRET!, // the same in all members
 *   tls: false, // in a private network; else { key, cert, ca }
 *   store: new MemoryLeaderStore(),
 * });
 * await member.start();
 * if (member.mayAct) console.log(`acting in term ${member.term}`);
 * await member.stop();
 * ```
 * @packageDocumentation
 */
export { createGroupMember, type GroupOptions } from './session/create-group-member.js';
export { GroupMember } from './session/group-member.js';
export type { GroupMemberEvents, GroupMemberOptions, GroupTimes } from './session/group-options.js';
export { InvalidGroupOptionsError } from './session/resolve-group-options.js';
export { AddressInUseError, JoinError } from './transport/join.error.js';
export { type LeaderInfo, type LeaderRecord, UnreadableRecordError } from './store/leader-record.js';
export type { Member, MemberStatus } from './detector/member-view.js';
export type { GroupLease } from './lease/group-lease.js';
export { type AtomicLeaderStore, type LeaderStore, LeaderStoreError } from './store/leader-store.js';
export { TextLeaderStore } from './store/text-leader-store.js';
export { StandaloneLeaderStore } from './store/standalone-leader-store.js';
export { MemoryLeaderStore } from './store/memory-leader-store.js';
export type { WsTransport } from './transport/ws-transport.js';
export type { GroupTls, WsTransportOptions } from './transport/ws-options.js';
export { type Transport, messageSchema, type GroupMessage, type MessageType } from './transport/message.js';
