/** Who competes. */
export interface Candidate {
  /** Unique for each start of a process, `<identifier>:<boot uuid>`. */
  readonly id: string;
}
