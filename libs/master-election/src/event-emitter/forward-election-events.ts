import { errorMonitor } from 'node:events';
import type { EventEmitter2 } from '@nestjs/event-emitter';
import type { MasterElectionEvents } from '../master-election-events.js';
import type { MasterElection } from '../master-election.js';
import { DEFAULT_ELECTION_NAME } from '../options/resolve-options.js';

/** The part of an `EventEmitter2` that emits. */
type EventSink = Pick<EventEmitter2, 'emit'>;

/** Buffers events until {@link HeldEmitter.release}, then emits them in order. */
export class HeldEmitter implements EventSink {
  private held: (() => void)[] | undefined = [];

  constructor(private readonly emitter: EventSink) {}

  /** Returns whether the event had a listener; false while events are buffered. */
  emit: EventSink['emit'] = (name, ...args) => {
    if (!this.held) return this.emitter.emit(name, ...args);
    this.held.push(() => this.emitter.emit(name, ...args));
    return false;
  };

  /**
   * Emits the buffered events. If a listener throws, the events after it are still emitted.
   * @throws the first error of a listener, after all events were emitted.
   */
  release(): void {
    const held = this.held ?? [];
    const errors: unknown[] = [];
    // Listeners can append events during the loop.
    for (let next = held.shift(); next; next = held.shift()) {
      try {
        next();
      } catch (error) {
        errors.push(error);
      }
    }
    this.held = undefined;
    if (errors.length > 0) throw errors[0];
  }
}

/** Events that are forwarded: all except `lease-renewed`, which is emitted several times a second. */
export type ForwardedEvent = Exclude<keyof MasterElectionEvents, 'lease-renewed'>;

/**
 * Name under which an event of an election is emitted, for `@OnEvent`: `master-election.<event>`. For an election of
 * `forFeature` it is `master-election.<name>.<event>`.
 */
export function electionEventName(event: ForwardedEvent, election: string = DEFAULT_ELECTION_NAME): string {
  return election === DEFAULT_ELECTION_NAME
    ? `master-election.${event}`
    : `master-election.${election}.${event}`;
}

const EVENTS: Readonly<Record<ForwardedEvent, true>> = {
  'master-acquired': true,
  'master-lost': true,
  'master-suspended': true,
  'master-resumed': true,
  'election-started': true,
  'election-completed': true,
  'slave-registered': true,
  'slave-removed': true,
  error: true,
};

/**
 * Emits the events of an election on an `EventEmitter2`, with the same arguments and in the same order.
 * @returns a function that ends the forwarding.
 */
export function forwardElectionEvents(election: MasterElection, emitter: EventSink): () => void {
  const bindings = (Object.keys(EVENTS) as ForwardedEvent[]).map((event) => {
    const name = electionEventName(event, election.name);
    // With a listener of `error` the election would no longer log its errors.
    const heard = event === 'error' ? (errorMonitor as unknown as 'error') : event;
    const listener = (...args: unknown[]): void => void emitter.emit(name, ...args);
    return { heard, listener };
  });
  for (const { heard, listener } of bindings) election.on(heard, listener);
  return () => {
    for (const { heard, listener } of bindings) election.off(heard, listener);
  };
}
