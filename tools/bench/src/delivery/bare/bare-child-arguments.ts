/** Arguments of a writer that makes the frames itself. */
export interface BareArguments {
  readonly redis: string;
  readonly streams: readonly string[];
}

/** Arguments of a reader, which reads one stream. */
export interface BareReaderArguments {
  readonly redis: string;
  readonly stream: string;
}

/** Arguments of a writer that receives frames from workers. */
export interface BareRelayArguments extends BareArguments {
  readonly urls: readonly string[];
}

export interface BareRelayCalls {
  /** Processor time used so far. Microseconds. */
  cpu(): Promise<number>;
}
