import { type GroupMessage, type MessageBody, WIRE_VERSION } from '../transport/message.js';
import type { SessionPort } from './session-port.js';

/** The recipient of a message. */
export interface Recipient {
  readonly id: number;
  readonly address: string;
}

/** Puts a member's messages into envelopes and sends them. */
export class Mailer {
  constructor(
    private readonly port: SessionPort,
    private readonly sender: { readonly id: number; readonly epoch: number; readonly incarnation: number },
  ) {}

  send(to: Recipient, body: MessageBody, unreachable?: (error: Error) => void): void {
    this.port.transmit(to.address, this.compose(to.id, body), unreachable);
  }

  /** @param epoch Epoch of the group that the message is about, if it is not the sender's. */
  sendAll(all: readonly Recipient[], body: MessageBody, epoch?: number): void {
    for (const to of all) this.port.transmit(to.address, this.compose(to.id, body, epoch));
  }

  compose(to: number, body: MessageBody, epoch = this.sender.epoch): GroupMessage {
    const { options, address, boot } = this.port;
    const { id, incarnation } = this.sender;
    const from = { id, address, boot, incarnation };
    return { v: WIRE_VERSION, group: options.group, epoch, from, to, ...body } as GroupMessage;
  }
}
