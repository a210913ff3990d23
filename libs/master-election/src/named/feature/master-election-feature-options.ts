import type { MasterElectionOptions } from '../../options/master-election-options.js';

/** Name and visibility of an election. */
export interface MasterElectionFeatureIdentity {
  /** Unique within the application; not `default`. No `;` and no control characters. */
  readonly name: string;
  /** Whether other modules can use it without importing it. Default `false`. */
  readonly isGlobal?: boolean;
}

/**
 * Options of `MasterElectionModule.forFeature`. Missing options are inherited from `forRoot`, with these exceptions. `lockName` is
 * `<lockName of forRoot>:<name>`, or the name if there is no `forRoot`. `backend` is not shared. An election with its own `timing`
 * does not inherit single durations.
 */
export type MasterElectionFeatureOptions = MasterElectionFeatureIdentity & Partial<MasterElectionOptions>;
