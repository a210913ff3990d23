import type { MasterElectionOptions } from '../options/master-election-options.js';

/** Options of a `FakeMasterElection`, all optional. */
export interface FakeMasterElectionOptions extends Pick<
  MasterElectionOptions,
  'identifier' | 'nodeId' | 'metadata' | 'capabilities'
> {
  /** Name of the election, as given to `forFeature`. Default: that of `forRoot`. */
  readonly name?: string;
}
