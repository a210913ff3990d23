import { MAX_LEASE } from '@detector-cluster/election/internal';
import { z } from 'zod';

/** Version of the messages. A member refuses messages of another version. */
export const WIRE_VERSION = 1;

/** Maximum number of members in one message, except the answer to a JOIN. */
export const MAX_UPDATES = 32;

/** Maximum number of members in an answer to a JOIN. */
const MAX_MEMBERS = 10_000;

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const text = (length: number) => z.string().max(length);
const name = text(512);
const address = text(300);

const update = z.object({
  id: count.min(1),
  address,
  boot: text(64),
  status: z.enum(['alive', 'suspect', 'failed', 'departed']),
  incarnation: count,
});
const updates = z.array(update).max(MAX_UPDATES);

const leader = z.object({
  id: count,
  address,
  name,
  term: count,
  revision: count,
  leaseTtl: count.min(1).max(MAX_LEASE),
  barred: count,
});

/** Fields of every message. */
const envelope = z.object({
  v: z.literal(WIRE_VERSION),
  group: text(128).min(1),
  /** Epoch of the sender's group; 0 before the sender has joined. */
  epoch: count,
  /** `id` 0: not a member yet. */
  from: z.object({ id: count, address: address.min(1), boot: text(64).min(1), incarnation: count }),
  /** Id of the recipient; 0: the process that listens at the address. */
  to: count,
});

/** Further fields of the failure detector's messages: a bounded part of the sender's view, and the leader. */
const gossip = { updates, digest: count, leader: leader.nullable() };
/** A member that is probed on behalf of another. */
const target = z.object({ id: count.min(1), address });

const of = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  envelope.extend({ type: z.literal(type), ...shape });

const joinAnswer = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('accepted'),
    id: count.min(1),
    incarnation: count,
    leader,
    members: z.array(update).max(MAX_MEMBERS),
  }),
  z.object({ outcome: z.literal('not-leader') }),
  z.object({ outcome: z.literal('address-in-use'), holder: count }),
  z.object({ outcome: z.literal('error'), reason: text(512) }),
]);

/** Every message between members. */
export const messageSchema = z.discriminatedUnion('type', [
  of('JOIN', { nonce: text(64), name }),
  of('JOINACK', { nonce: text(64), answer: joinAnswer }),
  of('PING', { seq: count, ...gossip, target: target.optional() }),
  of('ACK', { seq: count, ...gossip, target: target.optional() }),
  of('COORDINATOR', { leader }),
  of('ELECTION', {}),
  of('OKAY', {}),
  of('DEPARTING', { leader: leader.nullable() }),
  of('FAILURE', { members: updates, leader: leader.nullable() }),
]);

export type GroupMessage = z.infer<typeof messageSchema>;
export type MessageType = GroupMessage['type'];
export type MessageOf<Type extends MessageType> = Extract<GroupMessage, { type: Type }>;
export type JoinAnswer = z.infer<typeof joinAnswer>;
/** The fields of a message without the envelope, which the sender adds. */
export type MessageBody<Type extends MessageType = MessageType> = Type extends MessageType
  ? Omit<MessageOf<Type>, keyof z.infer<typeof envelope>>
  : never;

/**
 * Receives a message.
 * @param reply Answers the sender, independent of the address that the message claims.
 */
export type Receive = (message: GroupMessage, reply: (answer: GroupMessage) => void) => void;

/** Carries messages between members. It may lose messages. It never changes or invents one. */
export interface Transport {
  /**
   * Begins to accept messages; resolves with the address at which others reach this member.
   * @throws AddressInUseError when another process listens there.
   */
  open(receive: Receive): Promise<string>;
  /**
   * Sends without waiting.
   * @param unreachable Called when no connection to the address can be opened. Not called when the member does not answer.
   */
  send(address: string, message: GroupMessage, unreachable?: (error: Error) => void): void;
  /** Ends all connections. */
  close(): Promise<void>;
}
