import { DEFAULT_ELECTION_NAME } from '../named/default-election-name.js';

/** The options of an election are invalid. Lists all problems, one sentence each, by option name. */
export class InvalidOptionsError extends Error {
  override readonly name = 'InvalidOptionsError';
  readonly code = 'INVALID_OPTIONS';

  constructor(
    readonly problems: readonly string[],
    readonly election: string = DEFAULT_ELECTION_NAME,
  ) {
    const what = election === DEFAULT_ELECTION_NAME ? 'MasterElectionModule' : `the election '${election}'`;
    super(`invalid options of ${what}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}
