/**
 * One stretch of time in which a candidate could act. Log one for each confirmation, from one clock that all candidates
 * share: within a process `performance.now()`, between the processes of a Linux machine `process.hrtime()`.
 */
export interface Grant {
  readonly owner: string;
  readonly term: number;
  /** When the confirmation was sent, or later: the first moment at which the candidate could act on it. */
  readonly sentAt: number;
  /** When it ended: its deadline, or the moment at which the candidate gave up before. */
  readonly validUntil: number;
}
