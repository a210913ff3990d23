/**
 * The first version that understands each level of formats: of what Redis holds for other processes, and of the messages between
 * processes. The first entry is of level 1. A change that an earlier version would misread gets a new level. A process understands all
 * levels up to the last one. It writes that of the cluster, which is the lowest one of its processes.
 */
export const FORMAT_VERSIONS: readonly string[] = ['0.1.0'];

/** The level of formats that a cluster writes. */
export interface WrittenFormats {
  readonly level: number;
  /** The first version that understands it. */
  readonly version: string;
}

/** What is written before any master has raised the level. */
export const FIRST_FORMATS: WrittenFormats = { level: 1, version: FORMAT_VERSIONS[0]! };

/** The level that this process understands. */
export function understoodLevel(): number {
  return FORMAT_VERSIONS.length;
}
