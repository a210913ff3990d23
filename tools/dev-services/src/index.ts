export { findProgram } from './debian/find-program.js';
export { Guard } from './support/guard.js';
export {
  childProcesses,
  isAlive,
  processorTimes,
  processorWait,
  stolenTime,
} from './support/process-state.js';
export type { ServerProcess } from './support/server-process.js';
export { startProgram, type GuardedServer } from './support/start-guarded.js';
export { copyPostgres } from './postgres/copy-postgres.js';
export { createDatabase, databaseAddress, dropDatabase, withPostgres } from './postgres/create-database.js';
export { startPgBouncer, type PgBouncerService } from './postgres/start-pgbouncer.js';
export { startPostgres, type PostgresService } from './postgres/start-postgres.js';
export { availableRedisGenerations, RedisGenerationUnavailableError } from './redis/find-redis.js';
export type { RedisService } from './redis/launch-redis.js';
export { listClients, type RedisClient } from './redis/list-clients.js';
export { monitorRedis } from './redis/monitor-redis.js';
export { startRedis, type StartRedisOptions } from './redis/start-redis.js';
export { startRedisCluster, type RedisClusterService } from './redis/start-redis-cluster.js';
export { startRedisSentinel, type RedisSentinelService } from './redis/start-redis-sentinel.js';
export { withRedis } from './redis/with-redis.js';
export { newDatabase, redisAt, type Service } from './services.js';
export { startAlertmanager } from './start-alertmanager.js';
export { startEtcd, startEtcdCluster } from './start-etcd.js';
export { startMemcached } from './start-memcached.js';
export {
  createAuthority,
  createCertificate,
  type Authority,
  type Certificate,
  type IssuedCertificate,
} from './support/create-certificate.js';
export { findChromium } from './support/find-chromium.js';
export { freePort } from './support/free-port.js';
export { LineReader } from './support/line-reader.js';
export { mentionedNames } from './support/mentioned-names.js';
export { ProgramUnavailableError } from './support/program-unavailable.js';
export { runCommand } from './support/run-command.js';
export { startAll } from './support/start-all.js';
export { TcpProxy } from './support/tcp-proxy.js';
export { tempDirectory } from './support/temp-directory.js';
export { answerWithin, waitFor } from './support/wait-for.js';
