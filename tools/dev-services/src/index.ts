export { findChromium, NoChromiumError } from './chromium/find-chromium.js';
export { findProgram, ProgramUnavailableError, type WantedProgram } from './debian/find-program.js';
export type { EtcdTls } from './etcd/etcd-member.js';
export {
  startEtcd,
  startEtcdCluster,
  type EtcdClusterService,
  type StartEtcdOptions,
} from './etcd/start-etcd.js';
export { childProcesses } from './guard/child-processes.js';
export { Guard } from './guard/guard.js';
export { isAlive, processorWait } from './guard/process-state.js';
export { ServerStartError, type RestartOptions, type ServerProcess } from './guard/server-process.js';
export { startProgram, type GuardedServer, type ProgramRecipe } from './guard/start-guarded.js';
export { startMemcached, type StartMemcachedOptions } from './memcached/start-memcached.js';
export { createDatabase, databaseAddress, dropDatabase, withPostgres } from './postgres/create-database.js';
export { NoPostgresError } from './postgres/postgres-binaries.js';
export { startPostgres, type PostgresService, type StartPostgresOptions } from './postgres/start-postgres.js';
export {
  startRedisCluster,
  type RedisClusterService,
  type StartRedisClusterOptions,
} from './redis/cluster/start-redis-cluster.js';
export type { RedisService } from './redis/launch-redis.js';
export { listClients, parseClientList, type RedisClient } from './redis/list-clients.js';
export { monitorRedis } from './redis/monitor-redis.js';
export {
  availableRedisGenerations,
  NoRedisError,
  RedisGenerationUnavailableError,
} from './redis/program/find-redis.js';
export type { RedisGeneration } from './redis/program/redis-generation.js';
export {
  startRedisSentinel,
  type RedisSentinelService,
  type StartRedisSentinelOptions,
} from './redis/sentinel/start-redis-sentinel.js';
export { startRedis, type RedisUser, type StartRedisOptions } from './redis/start-redis.js';
export { withRedis } from './redis/with-redis.js';
export { freePort } from './support/free-port.js';
export { LineReader } from './support/line-reader.js';
export { mentionedNames } from './support/mentioned-names.js';
export { startAll } from './support/start-all.js';
export { TcpProxy, type TcpProxyOptions } from './support/tcp-proxy.js';
export { tempDirectory } from './support/temp-directory.js';
export { waitFor } from './support/wait-for.js';
export {
  createAuthority,
  createCertificate,
  type Authority,
  type Certificate,
  type IssuedCertificate,
} from './tls/create-certificate.js';
export { newDatabase, redisAt, type Service } from './services.js';
