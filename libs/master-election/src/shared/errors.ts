/** No election completed within the timeout of the caller. */
export class ElectionTimeoutError extends Error {
  override readonly name = 'ElectionTimeoutError';
  readonly code = 'ELECTION_TIMEOUT';

  constructor(readonly timeoutMs: number) {
    super(`no election was completed within ${timeoutMs} ms`);
  }
}

/** This process has left the cluster, or has not joined it yet. */
export class ElectionStoppedError extends Error {
  override readonly name = 'ElectionStoppedError';
  readonly code = 'ELECTION_STOPPED';

  constructor() {
    super('this process does not take part in the election: it has been stopped, or was not started');
  }
}

/** Another live process has the same `nodeId`. */
export class DuplicateNodeIdError extends Error {
  override readonly name = 'DuplicateNodeIdError';
  readonly code = 'DUPLICATE_NODE_ID';

  constructor(readonly nodeId: string) {
    super(`another live process has the nodeId '${nodeId}'; leave the option out or make it unique`);
  }
}

/** The cluster writes formats that this process does not understand. It takes no part, because it would misread them. */
export class FormatLevelError extends Error {
  override readonly name = 'FormatLevelError';
  readonly code = 'FORMAT_LEVEL';
  /** The level of formats that the cluster writes. */
  readonly level: number;
  /** The first version that understands it. */
  readonly version: string;

  constructor(
    /** The level that this process understands. */
    readonly understood: number,
    written: { readonly level: number; readonly version: string },
  ) {
    const { level, version } = written;
    super(
      `the cluster writes formats of level ${level}, and this process understands them up to level ${understood}: ` +
        `start version ${version} or newer`,
    );
    this.level = level;
    this.version = version;
  }
}

/** No live process is registered under this id. */
export class UnknownProcessError extends Error {
  override readonly name = 'UnknownProcessError';
  readonly code = 'UNKNOWN_PROCESS';

  constructor(readonly processId: string) {
    super(`no live process '${processId}' is registered; call registerProcess first`);
  }
}

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

/** A caller waited for an election before Nest had started it. */
export class ElectionNotStartedError extends Error {
  override readonly name = 'ElectionNotStartedError';
  readonly code = 'ELECTION_NOT_STARTED';

  constructor() {
    super(
      'the election has not begun: Nest starts it in onApplicationBootstrap, after every onModuleInit has ended. Wait for it after ' +
        'the application has started, use @OnMasterAcquired, or call runOnce, which can be awaited in onModuleInit',
    );
  }
}
