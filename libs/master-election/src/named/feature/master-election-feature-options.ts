import type { MasterElectionOptions } from '../../options/master-election-options.js';

/** Which of several elections, and who sees it. */
export interface MasterElectionFeatureIdentity {
  /** Unique within the application; not `default`. No `;` and no control characters. */
  readonly name: string;
  /** Whether other modules can use it without importing it. Default `false`. */
  readonly isGlobal?: boolean;
}

/**
 * Options of `MasterElectionModule.forFeature`. What is left out is as in `forRoot`, with these exceptions: `lockName` is
 * `<lockName of forRoot>:<name>`, or the name where there is no `forRoot`; `backend` is not shared; and with a `timing` of
 * its own the election does not inherit single durations.
 */
export type MasterElectionFeatureOptions = MasterElectionFeatureIdentity & Partial<MasterElectionOptions>;
