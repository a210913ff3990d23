/** Details of a record besides the leader. With them, the node distinguishes records that arrive late or twice from new ones. */
export interface HeartbeatDetails {
  /** Id of the node that wrote it. */
  readonly by: string;
  /** `elect` when it made somebody the leader, `heartbeat` when the leader confirmed itself. */
  readonly kind: 'elect' | 'heartbeat';
  /** Number of the election that it belongs to; each election has a higher one than those that its writer knew of. */
  readonly election: number;
  /** When it was written, in milliseconds of the store's clock. */
  readonly at: number;
}
