import type { Clock } from '@detector-cluster/election';
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

interface Probe {
  readonly id: number;
  readonly sentAt: number;
  /** The member that the answer is forwarded to. */
  readonly relay: { readonly id: number; readonly address: string; readonly seq: number } | undefined;
}

/** Maximum number of pending PINGs; beyond it the oldest are dropped. */
const KEPT = 1_000;

/** PINGs that are waiting for their ACK. */
export class Probes {
  private readonly sent = new Map<number, Probe>();
  private seq = 0;

  constructor(private readonly clock: Clock) {}

  /** Returns the number of the new PING. */
  open(id: number, relay?: Probe['relay']): number {
    if (this.sent.size >= KEPT) this.sent.delete(this.sent.keys().next().value!);
    this.sent.set(++this.seq, { id, sentAt: this.clock.now(), relay });
    return this.seq;
  }

  /** The PING that an ACK of `id` answers; `undefined` if it was already answered or never sent. */
  close(seq: number, id: number): Probe | undefined {
    const probe = this.sent.get(seq);
    if (probe?.id !== id) return undefined;
    this.sent.delete(seq);
    return probe;
  }
}
