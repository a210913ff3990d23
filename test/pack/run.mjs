// Proves that the libraries work as published: packs each, checks the archive, and installs all of them into a blank
// application outside of the repository, which must compile strictly and elect itself on a real Redis.
// Needs built libraries: `npm run test:pack`. `--keep` leaves the application's folder behind.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startRedis } from '@detector-cluster/dev-services';
import { STAGE, stagePackage } from '../../tools/release/stage-package.mjs';
import { checkArchive, entriesOf } from './check-archive.mjs';
import { playGuide } from './guide.mjs';
import { playJest } from './jest.mjs';
import { npmInstall } from './npm-install.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const LIBRARIES = [
  'election',
  'leaderfeed',
  'group-membership',
  'worker-protocol',
  'placement',
  'delivery',
  'master-election',
  'detector-cluster',
];

/** Entry points that need an optional peer, which an application without them must not need. */
const NEEDS = {
  '@detector-cluster/election/etcd': '@grpc/grpc-js',
  '@detector-cluster/election/postgres': 'pg',
  '@detector-cluster/group-membership/memcached': 'memcache-client',
  '@detector-cluster/group-membership/nest/event-emitter': '@nestjs/event-emitter',
  '@detector-cluster/group-membership/nest/health': '@nestjs/terminus',
  '@detector-cluster/group-membership/nest/metrics': 'prom-client',
  '@detector-cluster/detector-cluster/health': '@nestjs/terminus',
  '@detector-cluster/detector-cluster/metrics': 'prom-client',
  '@detector-cluster/detector-cluster/s3': '@aws-sdk/client-s3',
  '@detector-cluster/detector-cluster/tracing': '@opentelemetry/api',
  '@detector-cluster/master-election/event-emitter': '@nestjs/event-emitter',
  '@detector-cluster/master-election/health': '@nestjs/terminus',
  '@detector-cluster/master-election/metrics': 'prom-client',
};

/** Optional peers that come with one of those, or are loaded only when an option asks for them. */
const ON_DEMAND = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/microservices',
  '@nestjs/websockets',
  'mongodb',
  'rethinkdb-ts',
  '@aws-sdk/s3-request-presigner',
  '@grpc/proto-loader',
  'pg',
];

/** Versions of the previous major of peers, and of what belongs to them. */
const OLDER = {
  '@nestjs/common': '11.2.10',
  '@nestjs/core': '11.2.10',
  '@nestjs/microservices': '11.2.6',
  '@nestjs/websockets': '11.2.6',
  '@nestjs/platform-express': '11.2.10',
  '@nestjs/testing': '11.2.6',
  '@nestjs/schedule': '6.1.3',
  '@nestjs/event-emitter': '3.1.0',
  ioredis: '5.11.1',
  prisma: '6.19.3',
  '@prisma/client': '6.19.3',
  '@prisma/adapter-pg': '6.19.3',
};

const run = async (file, args, options = {}) => {
  try {
    return (await promisify(execFile)(file, args, { maxBuffer: 2 ** 26, timeout: 300_000, ...options }))
      .stdout;
  } catch (error) {
    const how = error.killed ? 'did not end in time' : `ended with code ${error.code}`;
    throw new Error(
      `${file} ${args.join(' ')} ${how}\n${error.stdout ?? ''}${error.stderr ?? error.message}`,
      {
        cause: error,
      },
    );
  }
};
const kilobytes = (bytes) => `${Math.round(bytes / 1_000)} kB`;
const readJson = async (...path) => JSON.parse(await readFile(join(...path), 'utf8'));
const installedVersion = async (name) => (await readJson(root, 'node_modules', name, 'package.json')).version;

/** Packs one package as it is published, and checks what is inside. */
async function pack(folder, directory) {
  const staged = join(root, folder, STAGE);
  const manifest = await stagePackage(join(root, folder));
  const output = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', directory], {
    cwd: staged,
  });
  const [{ filename, files, unpackedSize }] = Object.values(JSON.parse(output));
  const names = files.map(({ path }) => path);
  const bytes = await readFile(join(directory, filename));
  const licence = await readFile(join(root, 'LICENSE'), 'utf8');
  await checkArchive({ folder: staged, manifest, names, unpacked: unpackedSize, bytes, licence });
  console.log(
    `packed ${manifest.name}: ${names.length} files, ${kilobytes(bytes.length)}, unpacked ${kilobytes(unpackedSize)}`,
  );
  const paths = entriesOf(manifest).map(([path]) => path.slice(1));
  const schemas = names.filter((name) => name.startsWith('schemas/'));
  return { manifest, archive: join(directory, filename), paths, schemas };
}

/** A blank application with the archives and their peers. */
async function install(packages, directory, versionOf) {
  const peers = packages.flatMap(({ manifest }) =>
    Object.keys(manifest.peerDependencies ?? {}).filter(
      (name) => !manifest.peerDependenciesMeta?.[name]?.optional,
    ),
  );
  const others = [...new Set([...peers, '@nestjs/common', '@nestjs/core', 'typescript', '@types/node'])];
  const dependencies = Object.fromEntries([
    ...packages.map(({ manifest, archive }) => [manifest.name, `file:${archive}`]),
    ...(await Promise.all(others.map(async (name) => [name, await versionOf(name)]))),
  ]);
  await cp(join(root, 'test/pack/app'), directory, { recursive: true });
  await writeFile(
    join(directory, 'package.json'),
    JSON.stringify({ name: 'blank', private: true, type: 'module', dependencies }, null, 2),
  );
  const everyPath = packages.flatMap(({ manifest, paths }) => paths.map((path) => manifest.name + path));
  await writeFile(
    join(directory, 'every-path.ts'),
    everyPath.map((path, i) => `import * as m${i} from '${path}';\n`).join('') +
      `export const modules = [${everyPath.map((_, i) => `m${i}`).join(', ')}];\n`,
  );
  await npmInstall(directory, [], run);
  return everyPath;
}

/** Adds the optional peers; every one of them must be needed by an entry point. */
async function installOptional(packages, directory, versionOf) {
  const names = [
    ...new Set(packages.flatMap(({ manifest }) => Object.keys(manifest.peerDependenciesMeta ?? {}))),
  ];
  const known = [...Object.values(NEEDS), ...ON_DEMAND];
  const unused = names.filter((name) => !known.includes(name));
  if (unused.length > 0) throw new Error(`no entry point is known to need ${unused.join(', ')}`);
  const wanted = await Promise.all(names.map(async (name) => `${name}@${await versionOf(name)}`));
  await npmInstall(directory, wanted, run);
}

/** In a process of their own, which ends with the first that cannot be loaded. */
const requirePaths = (paths, directory) =>
  run(
    process.execPath,
    ['--no-warnings', '-e', `for (const path of ${JSON.stringify(paths)}) require(path);`],
    { cwd: directory },
  );

/** Compiles the application, loads every entry point of the packages by import, and has the application elect itself. */
async function tryApplication(directory) {
  await run(process.execPath, [join(directory, 'node_modules/typescript/bin/tsc'), '-p', directory]);
  console.log('compiled, strict, with the declarations of all dependencies checked');
  await run(process.execPath, ['dist/every-path.js'], { cwd: directory });
  const redis = await startRedis();
  try {
    const output = await run(process.execPath, ['dist/main.js'], {
      cwd: directory,
      timeout: 40_000,
      env: { ...process.env, REDIS_URL: redis.url },
    });
    const result = JSON.parse(output.trim().split('\n').at(-1));
    const { elected, master, leaseValid, processes, cluster, protocol, term, health, metric, events, fake } =
      result;
    if (!(elected && master && leaseValid && processes === 1 && cluster && protocol && term > 0))
      throw new Error(`the application reports ${JSON.stringify(result)}`);
    if (!(health === 'up' && metric === 1 && events === 2 && fake === 1))
      throw new Error(`the application reports ${JSON.stringify(result)}`);
    const { clusterHealth, clusterMetric } = result;
    if (!(clusterHealth === 'up' && clusterMetric === 0))
      throw new Error(`the application reports ${JSON.stringify(result)}`);
    console.log(`elected itself: ${JSON.stringify(result)}`);
  } finally {
    await redis.stop();
  }
}

/** The application and the guide, with the previous major version of each peer that the libraries accept. */
async function tryOlderPeers(packages, archives, directory) {
  const versionOf = async (name) => OLDER[name] ?? installedVersion(name);
  await mkdir(directory);
  await install(packages, directory, versionOf);
  await installOptional(packages, directory, versionOf);
  const versions = Object.entries(OLDER).map(([name, version]) => `${name} ${version}`);
  console.log(`installed with ${versions.join(', ')}`);
  await tryApplication(directory);
  await playGuide(join(directory, 'guide'), archives, versionOf, run);
  console.log('the guide does what it says with these, too');
}

async function main(directory) {
  const packages = [];
  for (const library of LIBRARIES) packages.push(await pack(`libs/${library}`, directory));
  const paths = await install(packages, directory, installedVersion);
  console.log(`installed, with ${paths.length} entry points`);
  await requirePaths(
    paths.filter((path) => !NEEDS[path]),
    directory,
  );
  for (const path of paths.filter((each) => NEEDS[each]))
    await requirePaths([path], directory).then(
      () => Promise.reject(new Error(`${path} loads without ${NEEDS[path]}`)),
      (error) => {
        if (!error.message.includes(NEEDS[path])) throw error;
      },
    );
  console.log('optional peers are needed by their entry points alone');
  await installOptional(packages, directory, installedVersion);
  const schemas = packages.flatMap(({ manifest, schemas }) =>
    schemas.map((path) => `${manifest.name}/${path}`),
  );
  await requirePaths([...paths, ...schemas], directory);
  console.log(`every entry point loads by require, and so do ${schemas.length} JSON schemas`);
  await tryApplication(directory);
  const { archive } = await pack('apps/elector', directory);
  await npmInstall(directory, [archive], run);
  const elector = join(directory, 'node_modules/.bin/elector');
  const said = await run(elector, ['exec', '--backend', 'memory', '--', 'sh', '-c', 'echo $ELECTOR_STATE']);
  if (said !== 'leader\n') throw new Error(`elector says ${JSON.stringify(said)}`);
  console.log('elector runs a command');
  const conformance = await pack('apps/worker-conformance', directory);
  await npmInstall(directory, [conformance.archive], run);
  const checks = await run(join(directory, 'node_modules/.bin/worker-conformance'), ['--list']);
  if (!checks.startsWith('upgrade\t')) throw new Error(`worker-conformance says ${JSON.stringify(checks)}`);
  console.log('worker-conformance lists its checks');
  const archives = new Map(packages.map(({ manifest: { name }, archive: file }) => [name, file]));
  await playGuide(join(directory, 'guide'), archives, installedVersion, run);
  console.log('the guide does what it says, from an empty folder');
  await playJest(join(directory, 'jest'), archives, run);
  console.log('Jest runs the tests in each kind of application that `nest new` writes');
  await tryOlderPeers(packages, archives, join(directory, 'older'));
}

const directory = await mkdtemp(join(tmpdir(), 'detector-cluster-pack-'));
const keep = process.argv.includes('--keep');
const clean = () => keep || rmSync(directory, { recursive: true, force: true });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => {
    clean();
    process.exit(1);
  });
try {
  await main(directory);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  clean();
  if (keep) console.log(`kept ${directory}`);
}
