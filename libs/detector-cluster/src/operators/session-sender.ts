import type { SetSessionIdCommand } from '@detector-cluster/worker-protocol';
import { Repeater } from '@detector-cluster/election/internal';
import { displayOf, type WorkerObservation } from '@detector-cluster/placement/internal';
import type { Sessions, SessionStore } from './session-store.js';

export interface SessionSenderOptions {
  readonly store: SessionStore;
  /** `onDropped` is to be called when the command did not reach the socket. */
  readonly send: (worker: string, command: SetSessionIdCommand, onDropped: () => void) => void;
  /** There is something to {@link SessionSender.sync}. */
  readonly onChange: () => void;
  readonly onError: (error: Error) => void;
}

type Hosted = Pick<WorkerObservation, 'url' | 'current'> & {
  /** A new object whenever the worker reports other streams. */
  readonly reported: { keys(): Iterable<string> };
};

/**
 * Sends workers the sessions of the displays they work for, on behalf of one master. State reports do not show sessions, so
 * it remembers what it has sent over each connection, and sends again after every connection and every subscribe.
 */
export class SessionSender {
  private sessions = new Map<string, number | null>();
  /** Displays whose sessions have changed since the last {@link sync}. */
  private readonly fresh = new Set<string>();
  /** Worker → display → session, as sent over its present connection. */
  private readonly sent = new Map<string, Map<string, number | null>>();
  /** Worker → its streams, and the displays of these, when {@link sync} last looked at them. Most passes change none. */
  private readonly synced = new Map<
    string,
    { readonly reported: object; readonly displays: ReadonlySet<string> }
  >();
  private readonly dirty = new Set<string>();
  /** One read at a time, so that an older answer never replaces a newer one. */
  private readonly reads: Repeater;

  constructor(private readonly options: SessionSenderOptions) {
    // After an error, all of them are read again with the desired state.
    this.reads = new Repeater({ run: () => this.refresh(), onError: options.onError });
  }

  /** Reads all sessions. */
  async load(): Promise<void> {
    // Redis answers in the order of the questions, so that no later answer of `refresh` is overwritten.
    const found = await this.options.store.all();
    this.note(found);
    this.sessions = new Map(found);
  }

  /** The session of a display may have changed. */
  changed(displayId: string): void {
    this.dirty.add(displayId);
    this.reads.poke();
  }

  /** A connection has been opened or lost: earlier commands no longer count. */
  reset(worker: string): void {
    this.sent.delete(worker);
    this.synced.delete(worker);
  }

  /** Forgets all other workers. */
  keep(workers: Iterable<string>): void {
    const kept = new Set(workers);
    for (const known of [this.sent, this.synced])
      for (const worker of known.keys()) if (!kept.has(worker)) known.delete(worker);
  }

  /** A subscribe command has been handed to the worker's connection: its session follows at once, known to it or not. */
  subscribed(worker: string, subscriptionIdentifier: string): void {
    const displayId = displayOf(subscriptionIdentifier);
    this.sent.get(worker)?.delete(displayId);
    this.send(worker, displayId);
  }

  /** Sends what workers that have reported over their present connection do not know yet. */
  sync(workers: readonly Hosted[]): void {
    if (this.sessions.size === 0) return;
    const { fresh } = this;
    for (const { url, current, reported } of workers) {
      const last = this.synced.get(url);
      if (!current) this.synced.delete(url);
      else if (last?.reported === reported) {
        const [few, many] = fresh.size < last.displays.size ? [fresh, last.displays] : [last.displays, fresh];
        for (const display of few) if (many.has(display)) this.send(url, display);
      } else {
        const displays = new Set(Array.from(reported.keys(), displayOf));
        for (const display of last?.displays ?? [])
          if (!displays.has(display)) this.sent.get(url)?.delete(display);
        this.synced.set(url, { reported, displays });
        for (const display of displays) this.send(url, display);
      }
    }
    fresh.clear();
  }

  private send(worker: string, displayId: string): void {
    const sessionId = this.sessions.get(displayId);
    if (sessionId === undefined) return;
    const sent = this.sent.get(worker) ?? new Map<string, number | null>();
    if (sent.get(displayId) === sessionId) return;
    sent.set(displayId, sessionId);
    this.sent.set(worker, sent);
    const command: SetSessionIdCommand = {
      type: 'setSessionId',
      payload: { displayIdentifier: displayId, sessionId },
    };
    this.options.send(worker, command, () => {
      sent.delete(displayId);
      this.synced.delete(worker);
      this.options.onChange();
    });
  }

  private async refresh(): Promise<void> {
    const displays = [...this.dirty];
    this.dirty.clear();
    const found = await this.options.store.of(displays);
    this.note(found);
    for (const [displayId, sessionId] of found) this.sessions.set(displayId, sessionId);
    this.options.onChange();
  }

  private note(found: Sessions): void {
    for (const [displayId, sessionId] of found)
      if (this.sessions.get(displayId) !== sessionId) this.fresh.add(displayId);
  }
}
