/** Name of the election that `forRoot` sets up, in metrics, events and messages. */
export const DEFAULT_ELECTION_NAME = 'default';
