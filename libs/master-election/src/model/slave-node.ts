/** A live process that is not the master. */
export interface SlaveNode {
  readonly nodeId: string;
  /** Name that operators read, e.g. `cms-backend`. Not unique. */
  readonly identifier: string;
  /** First registration of this start of the process, ISO 8601. */
  readonly registeredAt: string;
  /** Last heartbeat, ISO 8601. */
  readonly lastSeen: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}
