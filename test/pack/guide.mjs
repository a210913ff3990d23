// Plays docs/getting-started.md from an empty folder, with the packed libraries: writes its files, installs what its commands install,
// compiles, and runs each step until it shows what the guide says. Then the tests of docs/testing-your-app.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, startPostgres, startRedis } from '@detector-cluster/dev-services';
import { npmInstall } from './npm-install.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @param {(name: string) => Promise<string>} versionOf what is installed of a package that is not one of the archives
 * @param {(file: string, args: string[], options?: object) => Promise<string>} run
 */
export async function playGuide(directory, archives, versionOf, run) {
  const text = await readFile(join(root, 'docs/getting-started.md'), 'utf8');
  await mkdir(directory);
  await run('npm', ['init', '-y'], { cwd: directory });
  await run('npm', ['pkg', 'set', 'type=module'], { cwd: directory });
  await install(text, directory, archives, versionOf, run);
  await write(directory, 'tsconfig.json', /```json\n([\s\S]*?)```/.exec(text)[1]);
  const adapt = (await versionOf('prisma')).startsWith('6.') ? forPrisma6 : (_file, block) => block;
  for (const [, file, block] of text.matchAll(/<!-- file: (\S+) -->\s+```\w+\n([\s\S]*?)```/g)) {
    const adapted = adapt(file, block);
    if (adapted !== null) await write(directory, file, adapted);
  }

  await write(directory, 'transactions.ts', TRANSACTIONS);

  await playTests(directory, archives, versionOf, run);

  const redis = await startRedis();
  const postgres = await startPostgres();
  const port = String(await freePort());
  const worker = program(join(root, 'apps/detector-worker/dist/main.js'), root, {
    PORT: port,
    DETECTIONS_PER_SECOND: '5',
  });
  const env = { REDIS_URL: redis.url, DATABASE_URL: postgres.url, WORKER_URL: `ws://localhost:${port}` };
  const start = (file) => program(join(directory, 'dist', file), directory, env);
  try {
    // The command needs no engine, but downloads one where it finds none.
    const generate = { ...process.env, ...env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' };
    await run('npx', ['prisma', 'generate'], { cwd: directory, env: generate });
    await run('npx', ['tsc'], { cwd: directory });

    const first = start('main.js');
    await first.says(/^working$/m);
    const second = start('main.js');
    await first.stop();
    await second.says(/^working$/m);
    await second.stop();

    const camera = start('camera.js');
    await camera.says(/^display-001;camera-001 active streaming$/m);
    await camera.says(/carBrand/);
    await camera.stop();

    // What `prisma migrate` does needs an engine that Prisma downloads.
    await migrate(postgres.url);
    const app = start('app.js');
    await app.says(/this process is master/);
    const display = start('display.js');
    await display.ended();
    // The write is announced. A master that heard of nothing would read it after up to 30 s.
    await app.says(/entrance;camera-002/, 5_000);
    await app.stop();
    const transactions = start('transactions.js');
    await transactions.says(/^announced rolled back 0, committed 1$/m);
    await transactions.ended();
  } finally {
    await worker.stop();
    await Promise.all([redis.stop(), postgres.stop()]);
  }
}

/** Each version of Prisma shows in its own way to which transaction a write belongs. */
const TRANSACTIONS = `
import { setTimeout as sleep } from 'node:timers/promises';
import { readPostgresUrl, subscriptionTriggers } from '@detector-cluster/detector-cluster/prisma';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/prisma/client.js';

const { pool, schema } = readPostgresUrl(process.env.DATABASE_URL!);
let announced = 0;
const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { schema }) }).$extends(
  subscriptionTriggers({ publish: () => void announced++ }),
);
const write = (cameraIdentifier: string, rollBack: boolean) =>
  prisma.$transaction(async (tx) => {
    await tx.camera.create({ data: { cameraIdentifier, rtspUrl: 'rtsp://10.0.0.12/main' } });
    await sleep(10);
    if (rollBack) throw new Error('rolled back');
  });
await write('rolled-back', true).catch(() => undefined);
const rolledBack = announced;
await write('committed', false);
await sleep(10);
console.log('announced rolled back ' + rolledBack + ', committed ' + announced);
await prisma.$disconnect();
`;

/** The unit tests of docs/testing-your-app.md, with the configuration that it gives. */
async function playTests(directory, archives, versionOf, run) {
  const text = await readFile(join(root, 'docs/testing-your-app.md'), 'utf8');
  await install(text, directory, archives, versionOf, run);
  for (const [, file, block] of text.matchAll(/<!-- file: (\S+) -->\s+```ts\n([\s\S]*?)```/g)) {
    if (file === 'vitest.config.ts') await write(directory, file, block);
    if (/^(reporter|gate|plates)\./.test(file)) await write(directory, join('tests', file), block);
  }
  const [, script] = /scripts\.test='(.*)'/.exec(text);
  await run('npm', ['pkg', 'set', `scripts.test=${script}`], { cwd: directory });
  await run('npm', ['test'], { cwd: directory });
}

/** What the guide says of Prisma 6. Null: without this file. */
function forPrisma6(file, text) {
  if (file === 'prisma.config.ts') return null;
  if (file !== 'prisma/schema.prisma') return text;
  return text
    .replace('generator client {', 'generator client {\n  engineType = "client"')
    .replace('datasource db {', 'datasource db {\n  url = env("DATABASE_URL")');
}

/** What the guide installs; the libraries from their archives. */
async function install(text, directory, archives, versionOf, run) {
  const commands = [...text.matchAll(/^npm install ((?:.*\\\n)*.*)$/gm)].map(([, rest]) => rest);
  const names = commands.flatMap((rest) => rest.split(/[\s\\]+/).filter((word) => /^[@a-z]/.test(word)));
  const wanted = await Promise.all(
    names.map(async (name) => archives.get(name) ?? `${name}@${await versionOf(name)}`),
  );
  // The others of this repository, which those depend on.
  const more = [...archives].filter(([name]) => !names.includes(name)).map(([, archive]) => archive);
  await npmInstall(directory, [...wanted, ...more], run);
}

async function migrate(url) {
  const { Client } = (await import('pg')).default;
  const sql = await readFile(
    join(root, 'samples/004-detector-cluster/prisma/migrations/20261121000000_init/migration.sql'),
    'utf8',
  );
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.query('ALTER TABLE "Model" ADD "fileKey" TEXT NOT NULL');
  await client.query('ALTER TABLE "Playlist" ADD "name" TEXT NOT NULL');
  await client.end();
}

async function write(directory, file, text) {
  await mkdir(dirname(join(directory, file)), { recursive: true });
  await writeFile(join(directory, file), text);
}

/** A running program of the guide. */
function program(file, cwd, env) {
  const child = spawn(process.execPath, [file], { cwd, env: { ...process.env, ...env } });
  let said = '';
  const listen = (data) => (said += data);
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  const exit = once(child, 'exit');
  const late = (what, limit = 60_000) =>
    new Promise((_, reject) => {
      setTimeout(() => reject(new Error(`${file}: ${what}; it said:\n${said}`)), limit).unref();
    });
  const ended = async (what) => {
    const [code, signal] = await Promise.race([exit, late(what)]);
    // Nest ends a process by the signal that it got.
    if (code !== 0 && signal !== 'SIGTERM') throw new Error(`${file} ended with ${code ?? signal}:\n${said}`);
  };
  const has = async (pattern) => {
    while (!pattern.test(said)) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  return {
    says: (pattern, limit) => Promise.race([has(pattern), late(`did not say ${pattern}`, limit)]),
    ended: () => ended('did not end by itself'),
    stop: async () => {
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended('did not end at SIGTERM');
    },
  };
}
