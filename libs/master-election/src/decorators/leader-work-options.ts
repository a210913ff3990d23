/** Options of every decorator for leader work. */
export interface LeaderWorkOptions {
  /** Name of the election, as given to `forFeature`. Default: the election of `forRoot`. */
  readonly election?: string;
}
