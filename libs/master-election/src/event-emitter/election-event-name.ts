import { DEFAULT_ELECTION_NAME } from '../named/default-election-name.js';
import type { ForwardedEvent } from './forwarded-event.js';

/**
 * Name under which an event of an election is emitted: `master-election.<event>`, for an election of `forFeature`
 * `master-election.<name>.<event>`. For `@OnEvent`.
 */
export function electionEventName(event: ForwardedEvent, election: string = DEFAULT_ELECTION_NAME): string {
  return election === DEFAULT_ELECTION_NAME
    ? `master-election.${event}`
    : `master-election.${election}.${event}`;
}
