import type { GroupMessage } from '../wire/message.js';

/**
 * Receives a message.
 * @param reply Answers the sender, independent of the address that the message claims.
 */
export type Receive = (message: GroupMessage, reply: (answer: GroupMessage) => void) => void;

/** How messages get from one member to another. Messages may be lost; they are never changed and never made up. */
export interface Transport {
  /**
   * Begins to accept messages; resolves with the address at which others reach this member.
   * @throws AddressInUseError when somebody listens there.
   */
  open(receive: Receive): Promise<string>;
  /**
   * Sends without waiting.
   * @param unreachable Called when no connection to the address can be made. Silence is not told.
   */
  send(address: string, message: GroupMessage, unreachable?: (error: Error) => void): void;
  /** Ends all connections. */
  close(): Promise<void>;
}
