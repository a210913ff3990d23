/** Arguments of a process that has joined an election and does nothing else. */
export interface IdleArguments {
  readonly redisUrl: string;
  readonly lockName: string;
  /** Name of its connections at the server. */
  readonly connectionName: string;
}

export interface IdleReport {
  readonly isMaster: boolean;
  /** Processor time since the start of the process, in milliseconds. */
  readonly cpuMs: number;
}

/** Calls of such a process. */
export interface IdleCalls {
  report(): Promise<IdleReport>;
}
