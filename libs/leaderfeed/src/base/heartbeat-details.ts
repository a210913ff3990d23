/** Details of a record besides the leader. With them, the node distinguishes records that arrive late or twice from new ones. */
export interface HeartbeatDetails {
  /** Id of the node that wrote it. */
  readonly by: string;
  /** `elect` when it made a node the leader, `heartbeat` when the leader confirmed itself. */
  readonly kind: 'elect' | 'heartbeat';
  /** Number of the election that it belongs to. Each election has a higher number than all elections that its writer knew. */
  readonly election: number;
  /** When it was written, in milliseconds of the store's clock. */
  readonly at: number;
}
