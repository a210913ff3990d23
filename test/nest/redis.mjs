import { startRedis } from '@detector-cluster/dev-services';

/** One private server for all tests; each test has a prefix of its own. */
export default async function start() {
  const server = await startRedis();
  process.env.REDIS_URL = server.url;
  globalThis.redisOfTests = server;
}
