import {
  encodeCommand,
  MAX_FRAME_BYTES,
  type SubscribeCommand,
  type WorkerCommand,
  type SetSubscriptionListCommand,
  type SubscribePayload,
} from '@detector-cluster/worker-protocol';
import type { CommandOutcome, DetectorConnection } from './detector-connection.js';
import type { WorkerProtocolVersion } from './worker-definition.js';

export interface WorkerCommandsOptions {
  readonly connection: Pick<DetectorConnection, 'send' | 'unread'>;
  readonly protocol: WorkerProtocolVersion;
  /** What the worker's last report shows, by subscription. */
  readonly reported: () => ReadonlyMap<string, unknown>;
  /** A subscribe was not written: it counts as not sent. */
  readonly onDropped: () => void;
  /** The list of subscriptions does not fit into a frame; none was sent. */
  readonly onTooLong: (bytes: number) => void;
}

/**
 * The commands to one worker: encodes subscribes and unsubscribes for its protocol version, and keeps the subscribes of the present
 * connection that no report has confirmed yet.
 */
export class WorkerCommands {
  /** See `WorkerObservation.reportsDue`. */
  private due = new Map<string, number>();
  /** Subscription whose reports are due → its last subscribe. */
  private unconfirmed = new Map<string, SubscribeCommand>();
  /** Of protocol version 2, from the first report on a connection. */
  private list: SubscriptionList | null = null;
  /** Subscribes and unsubscribes that the next list carries. */
  private waiting: { readonly id: string; readonly outcome: CommandOutcome }[] = [];

  constructor(private readonly options: WorkerCommandsOptions) {}

  get reportsDue(): ReadonlyMap<string, number> {
    return this.due;
  }

  get hasUnconfirmed(): boolean {
    return this.unconfirmed.size > 0;
  }

  /** Subscriptions whose parameters must be given to {@link learn} before anything can be sent. Protocol version 2 only. */
  get unknown(): string[] {
    return this.list?.unknown ?? [];
  }

  learn(command: SubscribeCommand): void {
    this.list?.learn(command);
  }

  /** In protocol version 2 subscribes and unsubscribes wait for {@link flush}. */
  send(command: WorkerCommand, outcome: CommandOutcome = {}): void {
    switch (command.type) {
      case 'subscribe':
        this.subscribe(command);
        break;
      case 'unsubscribe':
        this.forget(command.payload.subscriptionIdentifier);
        this.deliver(command, outcome);
        break;
      default:
        this.options.connection.send(command, outcome);
    }
  }

  /**
   * Sends the list of protocol version 2, if something waits for it. If a list cannot be sent, its commands are sent again like all
   * commands that no report confirms.
   */
  flush(now = performance.now()): void {
    if (this.waiting.length === 0) return;
    const { connection, onTooLong, reported } = this.options;
    const carried = this.waiting;
    this.waiting = [];
    const command = this.list?.toCommand(reported(), now) ?? null;
    const bytes = command === null ? 0 : Buffer.byteLength(encodeCommand(command));
    if (command === null || bytes > MAX_FRAME_BYTES) {
      for (const { id } of carried) this.withdraw(id);
      if (command !== null) onTooLong(bytes);
      return;
    }
    connection.send(command, {
      written: () => carried.forEach(({ outcome }) => outcome.written?.()),
      dropped: () => carried.forEach(({ outcome }) => outcome.dropped?.()),
    });
  }

  /** A report has arrived. Returns the subscribes that it confirms as read. */
  countReport(): string[] {
    if (this.options.protocol === 'v2')
      this.list ??= new SubscriptionList(this.options.reported().keys(), performance.now());
    const proven: string[] = [];
    for (const id of this.unconfirmed.keys()) {
      const due = this.due.get(id)! - 1;
      this.due.set(id, due);
      if (due > 0) continue;
      this.unconfirmed.delete(id);
      proven.push(id);
    }
    return proven;
  }

  /** The connection has ended, and with it everything that was sent over it. */
  disconnected(): void {
    // A new map, because other code keeps the old one.
    this.due = new Map();
    this.unconfirmed = new Map();
    this.list = null;
    this.waiting = [];
  }

  /**
   * A report that was on its way when the subscribe was written proves nothing, nor does one that waits to be read. One that shows a
   * stream for the first time does; if the stream was reported before, the second report after the subscribe does.
   */
  private subscribe(command: SubscribeCommand): void {
    const id = command.payload.subscriptionIdentifier;
    this.due.set(id, Number.POSITIVE_INFINITY);
    this.unconfirmed.set(id, command);
    const isLast = () => this.unconfirmed.get(id) === command;
    const sent = this.deliver(command, {
      written: () => {
        if (!isLast()) return;
        const { connection, reported } = this.options;
        this.due.set(id, (reported().has(id) ? 2 : 1) + connection.unread);
      },
      dropped: () => {
        if (!isLast()) return;
        this.forget(id);
        this.withdraw(id);
        this.options.onDropped();
      },
    });
    if (!sent) this.forget(id);
  }

  private deliver(
    command: SubscribeCommand | Extract<WorkerCommand, { type: 'unsubscribe' }>,
    outcome: CommandOutcome,
  ): boolean {
    const { list } = this;
    if (this.options.protocol === 'v1') return this.options.connection.send(command, outcome);
    if (list === null) return false;
    if (command.type === 'subscribe') list.add(command, performance.now());
    else list.remove(command.payload.subscriptionIdentifier);
    this.waiting.push({ id: command.payload.subscriptionIdentifier, outcome });
    return true;
  }

  /** A later list must not start what counts as not sent. */
  private withdraw(id: string): void {
    if (!this.options.reported().has(id)) this.list?.remove(id);
  }

  private forget(id: string): void {
    this.due.delete(id);
    this.unconfirmed.delete(id);
  }
}

/** The master places a subscription elsewhere when no report shows it for 10 s: it leaves the list a little later. Milliseconds. */
const UNREPORTED_LIFETIME = 12_000;

interface Listed {
  /** Null: it ran before this connection began, and its parameters are not known here yet. */
  payload: SubscribePayload | null;
  /** Of its last subscribe. Monotonic milliseconds. */
  addedAt: number;
}

/**
 * The subscriptions that a worker of protocol version 2 should run. It turns single subscribes and unsubscribes into the list that
 * replaces all subscriptions of the worker, and begins with the worker's first report on a connection.
 */
class SubscriptionList {
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

  /** Sets the parameters of an {@link unknown} subscription. */
  learn({ payload }: SubscribeCommand): void {
    const known = this.listed.get(payload.subscriptionIdentifier);
    if (known !== undefined) known.payload ??= payload;
  }

  /**
   * Null while parameters are unknown: a list without a subscription would end it.
   * @param reported the subscriptions of the worker's last report; those that it never starts are left out after a while
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
