/** A caller waited for a process to become a member before Nest had let it begin to join. */
export class JoinNotBegunError extends Error {
  override readonly name = 'JoinNotBegunError';
  readonly code = 'JOIN_NOT_BEGUN';

  constructor() {
    super(
      'this process has not begun to join: Nest lets it begin in onApplicationBootstrap, after every onModuleInit has ended, and not ' +
        "in a module that is loaded lazily. Wait after the application has started, or listen with on('joined', …)",
    );
  }
}
