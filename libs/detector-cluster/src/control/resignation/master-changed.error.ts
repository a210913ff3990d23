/** The process that should resign is no longer master, or never was; nothing was done. */
export class MasterChangedError extends Error {
  override readonly name = 'MasterChangedError';
  readonly code = 'MASTER_CHANGED';

  constructor(
    /** The term whose master should resign. */
    readonly asked: number,
    /** The term that leads now. */
    readonly term: number,
    /** The process that leads now. */
    readonly processId: string,
  ) {
    super(
      `term ${asked} does not lead: ${processId} does, with term ${term}; it has not been asked to resign`,
    );
  }
}
