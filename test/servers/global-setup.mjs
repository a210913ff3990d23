// Starts the servers of the integration and end-to-end tests, at once and before the first test: Redis of both
// generations and Postgres. They end with Jest, also when it is killed. Addresses given from outside are used as they are.
// If paths choose integration tests, only the servers that these tests mention are started. While Jest watches, the servers stay.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const servers = (globalThis.detectorClusterServers = []);

const STARTS = { REDIS_URL: redis, REDIS8_URL: redis8, DATABASE_URL: postgres };

export default async function globalSetup(globalConfig, { rootDir }) {
  const services = await import('@detector-cluster/dev-services').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('tools/dev-services is not built. Run "npm run build" first, or "npm test".');
  });
  const tests = chosenIntegrationTests(globalConfig, rootDir);
  const names = tests === null ? Object.keys(STARTS) : services.mentionedNames(tests, Object.keys(STARTS));
  const results = await Promise.allSettled([...names].map((name) => STARTS[name](services)));
  const failed = results.find(({ status }) => status === 'rejected');
  if (!failed) return;
  await Promise.all(servers.map((server) => server.stop()));
  throw failed.reason;
}

/** Null if other tests may run, too. */
function chosenIntegrationTests({ findRelatedTests, onlyChanged, testPathPatterns }, rootDir) {
  if (findRelatedTests || onlyChanged || !testPathPatterns.isSet()) return null;
  const patterns = testPathPatterns.toExecutor({ rootDir });
  const chosen = ['apps', 'libs', 'test', 'tools']
    .flatMap((folder) => [...filesBelow(join(rootDir, folder))])
    .filter((path) => path.endsWith('.spec.ts') && patterns.isMatch(path));
  const tests = chosen.filter((path) => path.endsWith('.int.spec.ts'));
  const others = chosen.some((path) => path.startsWith(join(rootDir, 'test')));
  return others || tests.length === 0 ? null : tests;
}

function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) yield path;
    else if (entry.name !== 'node_modules' && entry.name !== 'dist') yield* filesBelow(path);
  }
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
