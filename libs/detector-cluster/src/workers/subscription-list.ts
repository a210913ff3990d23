import type {
  SetSubscriptionListCommand,
  SubscribeCommand,
  SubscribePayload,
} from '@detector-cluster/worker-protocol';

/** The master places a subscription elsewhere when no report shows it for 10 s: it leaves the list a little later. Milliseconds. */
const UNREPORTED_LIFETIME = 12_000;

interface Listed {
  /** Null: it ran before this connection began, and its parameters are not known here yet. */
  payload: SubscribePayload | null;
  /** Of its last subscribe. Monotonic milliseconds. */
  addedAt: number;
}

/**
 * What a worker of protocol version 2 is to hold: turns single subscribes and unsubscribes into the list that replaces everything the
 * worker holds. It begins with what the worker reports first on a connection.
 */
export class SubscriptionList {
  private readonly listed: Map<string, Listed>;

  constructor(reported: Iterable<string>, now: number) {
    this.listed = new Map([...reported].map((id) => [id, { payload: null, addedAt: now }]));
  }

  /** Subscriptions whose parameters are missing: {@link learn} them, or remove them, before there can be a list. */
  get unknown(): string[] {
    return [...this.listed].filter(([, { payload }]) => payload === null).map(([id]) => id);
  }

  add({ payload }: SubscribeCommand, now: number): void {
    this.listed.set(payload.subscriptionIdentifier, { payload, addedAt: now });
  }

  remove(subscriptionIdentifier: string): void {
    this.listed.delete(subscriptionIdentifier);
  }

  /** Gives the parameters of one that is {@link unknown}. */
  learn({ payload }: SubscribeCommand): void {
    const known = this.listed.get(payload.subscriptionIdentifier);
    if (known !== undefined) known.payload ??= payload;
  }

  /**
   * Null while parameters are unknown: a list without a subscription would end it.
   * @param reported what the worker's last report shows; what it never took up is left out after a while
   */
  toCommand(reported: ReadonlyMap<string, unknown>, now: number): SetSubscriptionListCommand | null {
    const subscriptions: SubscribePayload[] = [];
    for (const [id, { payload, addedAt }] of this.listed) {
      if (!reported.has(id) && now - addedAt >= UNREPORTED_LIFETIME) this.listed.delete(id);
      else if (payload === null) return null;
      else subscriptions.push(payload);
    }
    return { type: 'setSubscriptionList', payload: { subscriptions } };
  }
}
