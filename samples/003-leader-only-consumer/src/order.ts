export interface Order {
  /** Of its entry in the stream. */
  readonly id: string;
  readonly amount: number;
}
