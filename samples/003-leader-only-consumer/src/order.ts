export interface Order {
  /** Id of its entry in the stream. */
  readonly id: string;
  readonly amount: number;
}
