/** Another live process has the same `nodeId`. */
export class DuplicateNodeIdError extends Error {
  override readonly name = 'DuplicateNodeIdError';
  readonly code = 'DUPLICATE_NODE_ID';

  constructor(readonly nodeId: string) {
    super(`another live process has the nodeId '${nodeId}'; leave the option out or make it unique`);
  }
}
