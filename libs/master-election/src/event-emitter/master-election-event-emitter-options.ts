/** Options of `MasterElectionEventEmitterModule.register`. */
export interface MasterElectionEventEmitterOptions {
  /** Names of the elections. Default: that of `forRoot`, `['default']`. */
  readonly elections?: readonly string[];
}
