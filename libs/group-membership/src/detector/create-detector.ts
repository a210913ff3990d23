import type { ResolvedGroupOptions } from '../member/group-options.js';
import type { DetectorPort, FailureDetector } from './failure-detector.js';
import { RoundRobinDetector } from './round-robin.detector.js';
import { SwimDetector } from './swim.detector.js';

/** Creates the detector that the options name. */
export function createDetector(options: ResolvedGroupOptions, port: DetectorPort): FailureDetector {
  return options.detector === 'swim'
    ? new SwimDetector(port, options, options)
    : new RoundRobinDetector(port, options);
}
