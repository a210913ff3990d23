/** The contexts of Nest's `Logger` under which the cluster logs. */
export const LOG_TOPICS = {
  /** High-level operations: the facade, decorators, triggers, the change feed. */
  cluster: 'detector-cluster',
  /** Roles, desired state, reconciliation, ownership of partitions, delivery. */
  coordination: 'master-slave-worker-cluster',
  /** Sockets to workers, and what comes over them. */
  connection: 'DetectorConnection',
} as const;
