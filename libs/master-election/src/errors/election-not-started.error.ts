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
