import type { GroupMessage } from '../wire/message.js';

/** How messages get from one member to another. Messages may be lost; they are never changed and never made up. */
export interface Transport {
  /**
   * Begins to accept messages; resolves with the address at which others reach this member.
   * @throws AddressInUseError when somebody listens there.
   */
  open(receive: (message: GroupMessage) => void): Promise<string>;
  /**
   * Sends without waiting.
   * @param unreachable Called when nobody accepts connections at the address. Silence is not told.
   */
  send(address: string, message: GroupMessage, unreachable?: (error: Error) => void): void;
  /** Ends all connections. */
  close(): Promise<void>;
}
