/** What a process offers to the cluster. */
export interface ProcessCapabilities {
  /** Can handle detection callbacks. */
  readonly canProcessDetections: boolean;
  /** Camera subscriptions it can carry. */
  readonly maxSubscriptions: number;
  /** Preferred load, 0 to 100. */
  readonly preferredWorkload: number;
}
