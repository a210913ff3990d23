/** A master has given up leadership on request. */
export interface Resignation {
  /** The term that has ended. */
  readonly term: number;
  /** The process that led it. */
  readonly processId: string;
}
