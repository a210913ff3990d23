import type { Clock } from '@detector-cluster/election';

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
