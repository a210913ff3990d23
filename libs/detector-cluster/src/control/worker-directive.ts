/**
 * What an operator wants of a worker. `cordoned`: it keeps what it has and gets nothing new. `draining`: it gets nothing
 * new, and what it has moves to others, a few units at a time, make before break; after 5 min without waiting any longer.
 */
export interface WorkerDirective {
  readonly standing: 'cordoned' | 'draining';
  /** ISO 8601. A worker that is drained twice keeps the first. */
  readonly since: string;
}
