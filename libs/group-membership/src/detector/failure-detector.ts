import type { Clock } from '@detector-cluster/election';
import type { Member } from './member-view.js';
import { RoundRobinDetector } from './round-robin.detector.js';
import { SwimDetector, type SwimOptions } from './swim.detector.js';

/** The failure detector: `swim` pings a few members per cycle, with the help of others; `round-robin` pings every member. */
export type DetectorName = 'swim' | 'round-robin';

/** What a detector needs from the member. */
export interface DetectorPort {
  readonly clock: Clock;
  readonly random: () => number;
  /** All other active members. */
  others(): readonly Member[];
  /** Sends a PING; any message from the member is an answer. */
  ping(member: Member): void;
  /** Asks `helper` to ping `member` and to pass its answer on. */
  pingThrough(helper: Member, member: Member): void;
  suspect(member: Member): void;
  fail(member: Member): void;
}

export interface DetectorTimes {
  /** Milliseconds between two rounds. */
  readonly pingCycle: number;
  /** A member that shows no sign of life for this many cycles has failed. */
  readonly failureThreshold: number;
}

/** Detects members that have failed. */
export interface FailureDetector {
  start(): void;
  stop(): void;
  /** A message from this member, or proof of one, has arrived. */
  heard(id: number): void;
  /** No process accepts connections at this member's address. */
  refused(id: number): void;
  /** The group's opinion of this member has changed. */
  changed(member: Member): void;
}

interface DetectorOptions extends DetectorTimes, SwimOptions {
  readonly detector: DetectorName;
}

/** Creates the detector that the options name. */
export function createDetector(options: DetectorOptions, port: DetectorPort): FailureDetector {
  return options.detector === 'swim'
    ? new SwimDetector(port, options, options)
    : new RoundRobinDetector(port, options);
}
