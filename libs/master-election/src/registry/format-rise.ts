import type { ProcessEntry } from './process-entry.js';
import { FORMAT_VERSIONS, type WrittenFormats } from './format-levels.js';

interface FormatRiseOptions {
  /** The master. If it is not registered itself, Redis has lost data. */
  readonly nodeId: string;
  /** For how long all processes must have understood a level. Milliseconds. */
  readonly validity: number;
  /** If two looks are further apart than this, the processes between them are unknown. Milliseconds. */
  readonly maxGap: number;
}

/**
 * Decides from a master's looks at the registry when a higher level of formats may be written: when all registered processes have
 * understood it for so long that a live process that is not registered, because Redis has lost it, would have registered again.
 */
export class FormatRise {
  private rising: { readonly level: number; readonly since: number } | null = null;
  private lastLook = -Infinity;

  constructor(private readonly options: FormatRiseOptions) {}

  /** The processes before this moment are unknown: the term has begun, or Redis was unavailable. */
  restart(): void {
    this.rising = null;
  }

  /**
   * Records a look.
   * @param versions what this process understands, as {@link FORMAT_VERSIONS}
   * @returns the formats to write from now on, if no process has registered in the meantime; null: no others
   */
  look(
    now: number,
    entries: readonly Pick<ProcessEntry, 'formatLevel' | 'nodeId'>[],
    written: number,
    versions = FORMAT_VERSIONS,
  ): WrittenFormats | null {
    const { maxGap, nodeId: self, validity } = this.options;
    if (now - this.lastLook > maxGap || !entries.some(({ nodeId }) => nodeId === self)) this.restart();
    this.lastLook = now;
    const level = Math.min(versions.length, ...entries.map(({ formatLevel }) => formatLevel));
    if (level <= written) this.restart();
    else if (this.rising?.level !== level) this.rising = { level, since: now };
    const isSettled = this.rising !== null && now - this.rising.since >= validity;
    return isSettled ? { level, version: versions[level - 1]! } : null;
  }
}
