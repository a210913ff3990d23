import { errorMonitor } from 'node:events';
import type { EventEmitter2 } from '@nestjs/event-emitter';
import type { MasterElectionEvents } from '../shared/master-election-events.js';
import type { MasterElection } from '../election/master-election.js';
import { DEFAULT_ELECTION_NAME } from '../shared/resolve-options.js';

/** The part of an `EventEmitter2` that emits. */
export type EventSink = Pick<EventEmitter2, 'emit'>;

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
  'master-absent': true,
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
