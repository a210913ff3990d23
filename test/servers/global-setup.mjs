// Starts the servers of the integration and end-to-end tests, at once and before the first test: Redis of both
// generations and Postgres. They end with Jest, also when it is killed. Addresses given from outside are used as they are.
const servers = (globalThis.detectorClusterServers = []);

export default async function globalSetup() {
  const services = await import('@detector-cluster/dev-services').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('tools/dev-services is not built. Run "npm run build" first, or "npm test".');
  });
  const results = await Promise.allSettled([redis(services), redis8(services), postgres(services)]);
  const failed = results.find(({ status }) => status === 'rejected');
  if (!failed) return;
  await Promise.all(servers.map((server) => server.stop()));
  throw failed.reason;
}

/** The older generation, whose lack of per-field expiry must be tested; where there is none of it, any. */
async function redis({ startRedis, RedisGenerationUnavailableError }) {
  if (process.env.REDIS_URL) return;
  const server = await startRedis({ generation: '7' }).catch((error) => {
    if (error instanceof RedisGenerationUnavailableError) return startRedis();
    throw error;
  });
  servers.push(server);
  process.env.REDIS_URL = server.url;
}

async function redis8({ startRedis, RedisGenerationUnavailableError }) {
  if (process.env.REDIS8_URL) return;
  try {
    const server = await startRedis({ generation: '8' });
    servers.push(server);
    process.env.REDIS8_URL = server.url;
  } catch (error) {
    if (!(error instanceof RedisGenerationUnavailableError)) throw error;
    delete process.env.REDIS8_URL;
    console.warn(`Tests for Redis 8 are skipped: ${error.message.split('\n')[0]}`);
  }
}

async function postgres({ startPostgres }) {
  if (process.env.DATABASE_URL) return;
  const server = await startPostgres();
  servers.push(server);
  process.env.DATABASE_URL = server.url;
}
