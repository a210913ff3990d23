/** A write to a resource that a fence protects. */
export interface GuardedWrite {
  readonly owner: string;
  readonly term: number;
  /** Whether the fence let it through. */
  readonly accepted: boolean;
}
