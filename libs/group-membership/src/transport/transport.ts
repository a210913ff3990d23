import type { GroupMessage } from './message.js';

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
