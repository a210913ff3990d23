// Starts the servers of the integration and end-to-end tests, at once and before the first test: Redis of both generations and
// Postgres. They end with the test runner, also when it is killed. Addresses given from outside are used as they are. If paths choose
// integration tests, only the servers that these tests mention are started. While the runner watches, the servers stay.
// Programs that tests start themselves are started once and ended, because their first start may download them, and that can take
// longer than a test may.
const STARTS = { REDIS_URL: redis, REDIS8_URL: redis8, DATABASE_URL: postgres };

const PROGRAMS = {
  startPgBouncer: ({ startPgBouncer }) =>
    startPgBouncer('postgresql://unused@127.0.0.1:1', { mode: 'session' }),
  startEtcd: ({ startEtcd }) => startEtcd(),
  startMemcached: ({ startMemcached }) => startMemcached(),
};

const servers = [];

/** Returns what ends the servers. */
export default async function setup(project) {
  const services = await import('@detector-cluster/dev-services').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('tools/dev-services is not built. Run "npm run build" first, or "npm test".');
  });
  const { testFiles } = await project.globTestFiles(project.vitest.filenamePattern);
  const mentioned = (names) => services.mentionedNames(testFiles, names);
  const names = project.name === 'integration' ? mentioned(Object.keys(STARTS)) : Object.keys(STARTS);
  const results = await Promise.allSettled([
    ...[...names].map((name) => STARTS[name](services)),
    ...[...mentioned(Object.keys(PROGRAMS))].map((name) => fetchProgram(() => PROGRAMS[name](services))),
  ]);
  const failed = results.find(({ status }) => status === 'rejected');
  if (!failed) return stop;
  await stop();
  throw failed.reason;
}

const stop = () => Promise.all(servers.map((server) => server.stop()));

/** If it cannot be started, the tests that need it say why. */
async function fetchProgram(start) {
  const server = await start().catch(() => undefined);
  await server?.stop();
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
