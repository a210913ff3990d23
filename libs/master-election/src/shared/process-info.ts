/** What a process offers to the cluster. */
export interface ProcessCapabilities {
  /** Can handle detection callbacks. */
  readonly canProcessDetections: boolean;
  /** Camera subscriptions it can carry. */
  readonly maxSubscriptions: number;
  /** Preferred load, 0 to 100. */
  readonly preferredWorkload: number;
}

/** Role of a process according to the lease record at the time of reading. */
export type ProcessRole = 'master' | 'slave';

/** Description of a process that a caller passes to `registerProcess`. */
export interface ProcessInfo {
  readonly processId: string;
  /** The same as {@link processId}. */
  readonly nodeId: string;
  /** Informative when registering: readers derive the role from the lease record. */
  readonly role: ProcessRole;
  /** Last heartbeat, ISO 8601. */
  readonly lastSeen: string;
  readonly capabilities: ProcessCapabilities;
  /** Derived from {@link processId}: `worker:slave:<processId>`. `registerProcess` refuses any other value. */
  readonly channelName?: string;
}

/** A live entry of the process registry. */
export interface RegisteredProcess extends ProcessInfo {
  /** Name that operators read, e.g. `cms-backend`. Not unique. */
  readonly identifier: string;
  /** First registration of this start of the process, ISO 8601. */
  readonly registeredAt: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Unique for each start of a process. */
  readonly bootId: string;
  /** Whether it holds a presence connection. If so, it is dead once that closes. Registrations made for others have none. */
  readonly showsPresence: boolean;
  /** The highest level of formats, in Redis and in messages between processes, that this process understands. */
  readonly formatLevel: number;
  /** Channel for messages to this process: `worker:slave:<processId>`. */
  readonly channelName: string;
}

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
