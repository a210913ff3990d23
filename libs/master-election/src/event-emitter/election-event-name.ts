import { DEFAULT_ELECTION_NAME } from '../named/default-election-name.js';
import type { ForwardedEvent } from './forwarded-event.js';

/**
 * Name under which an event of an election is emitted, for `@OnEvent`: `master-election.<event>`. For an election of
 * `forFeature` it is `master-election.<name>.<event>`.
 */
export function electionEventName(event: ForwardedEvent, election: string = DEFAULT_ELECTION_NAME): string {
  return election === DEFAULT_ELECTION_NAME
    ? `master-election.${event}`
    : `master-election.${election}.${event}`;
}
