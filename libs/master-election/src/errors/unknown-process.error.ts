/** No live process is registered under this id. */
export class UnknownProcessError extends Error {
  override readonly name = 'UnknownProcessError';
  readonly code = 'UNKNOWN_PROCESS';

  constructor(readonly processId: string) {
    super(`no live process '${processId}' is registered; call registerProcess first`);
  }
}
