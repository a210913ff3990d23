/** Which master is to resign. */
export interface ResignOptions {
  /** Only the master of this term. Default: the one that this process knows at the moment. */
  readonly term?: number;
}

/** How to rebalance. */
export interface RebalanceOptions {
  /** Who requests it: a name of up to 128 characters, never a key. */
  readonly by?: string;
}

/** Which plan to return. */
export interface PlanOptions {
  /** Only true is allowed: this call only shows a plan, and the master carries plans out. */
  readonly dryRun: true;
  /** Plan as if rebalancing had been requested with `rebalanceWorkers`. Default false. */
  readonly rebalance?: boolean;
}
