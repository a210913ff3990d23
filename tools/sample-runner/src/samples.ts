import { cronOnOneReplica } from './plays/cron-on-one-replica.js';
import { detectorCluster } from './plays/detector-cluster.js';
import { displayWall } from './plays/display-wall.js';
import { electionWithoutNest } from './plays/election-without-nest.js';
import { leaderOnlyConsumer } from './plays/leader-only-consumer.js';
import { migrationsOnce } from './plays/migrations-once.js';
import { pythonWorker } from './plays/python-worker.js';
import type { Sample } from './sample.js';

/** In the order of their numbers. */
export const samples: readonly Sample[] = [
  cronOnOneReplica,
  migrationsOnce,
  leaderOnlyConsumer,
  detectorCluster,
  electionWithoutNest,
  pythonWorker,
  displayWall,
];
