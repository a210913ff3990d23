/** What a feed can tell about a record besides who leads. With it, records that come late or twice are told from news. */
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
