interface ElectionNames {
  readonly name: string;
  readonly lockName: string;
}

/** Two elections of one application have the same name or the same lock name. */
export class DuplicateElectionError extends Error {
  override readonly name = 'DuplicateElectionError';
  readonly code = 'DUPLICATE_ELECTION';
  /** Names of the two elections. */
  readonly elections: readonly [string, string];

  constructor(first: ElectionNames, second: ElectionNames) {
    super(
      first.name === second.name
        ? `the election '${first.name}' is set up twice in one application: import one module where it is needed, or ` +
            'set isGlobal; give a second election a name of its own with forFeature'
        : `the elections '${first.name}' and '${second.name}' of one application have the same lockName ` +
            `'${first.lockName}'; give one of them another`,
    );
    this.elections = [first.name, second.name];
  }
}
