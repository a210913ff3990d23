/** A write at a resource that stands behind a fence. */
export interface GuardedWrite {
  readonly owner: string;
  readonly term: number;
  /** Whether the fence let it through. */
  readonly accepted: boolean;
}
