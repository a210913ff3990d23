import { deliveryScenario } from './delivery/delivery.scenario.js';
import { drainScenario } from './drain/drain.scenario.js';
import { fenceScenario } from './fence/fence.scenario.js';
import { herdScenario } from './herd/herd.scenario.js';
import { partitionScenario } from './partition/partition.scenario.js';
import { redisFailoverScenario } from './redis-failover/redis-failover.scenario.js';
import { redisRestartScenario } from './redis-restart/redis-restart.scenario.js';
import type { Scenario } from './scenario.js';
import { stormScenario } from './storm/storm.scenario.js';

/** All scenarios by name. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  delivery: deliveryScenario,
  fence: fenceScenario,
  partition: partitionScenario,
  herd: herdScenario,
  drain: drainScenario,
  storm: stormScenario,
  'redis-restart': redisRestartScenario,
  'redis-failover': redisFailoverScenario,
};
