import type { ProcessCapabilities } from './process-capabilities.js';

/** Role of a process, as the lease record says at the time of reading. */
export type ProcessRole = 'master' | 'slave';

/** What a caller of `registerProcess` says about a process. */
export interface ProcessInfo {
  readonly processId: string;
  /** The same as {@link processId}. */
  readonly nodeId: string;
  /** Informative when registering: readers see the role that follows from the lease record. */
  readonly role: ProcessRole;
  /** Last heartbeat, ISO 8601. */
  readonly lastSeen: string;
  readonly capabilities: ProcessCapabilities;
  /** It follows from {@link processId}: `worker:slave:<processId>`. Another one is refused when registering. */
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
  /** Whether it holds a presence connection: it is dead when that is gone. Registrations made for others have none. */
  readonly showsPresence: boolean;
  /** Where messages for this process go: `worker:slave:<processId>`. */
  readonly channelName: string;
}
