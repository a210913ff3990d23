import { createDatabase } from '@detector-cluster/dev-services';
import { startApp, waitFor, type AppProcess } from '@detector-cluster/local-cluster';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImageAssembler } from '../../tools/deploy-check/src/image-assembler.js';
import { readDockerfile } from '../../tools/deploy-check/src/dockerfile.js';
import { pathOf, readText } from '../../tools/deploy-check/src/repository.js';

/** To install the packages of three images. */
const TIMEOUT = 240_000;

/** Node itself then refuses to write files, as a container with a read-only file system does. */
const READ_ONLY = `${process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission'} --allow-fs-read=*`;

const images = ['backend', 'worker', 'migrate'] as const;
const stages = readDockerfile(readText('Dockerfile'));

describe('the images of the Dockerfile', () => {
  let folder: string;
  let assembler: ImageAssembler;
  const processes: AppProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'images-'));
    assembler = new ImageAssembler(stages, folder);
    await assembler.build();
    await Promise.all(images.map((image) => assembler.stage(`${image}-files`)));
    for (const image of images) await assembler.stage(image);
  }, TIMEOUT);
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.stop()));
    await rm(folder, { recursive: true, force: true });
  }, TIMEOUT);

  const scriptOf = (image: string) => {
    const [program, script] = stages.find(({ name }) => name === image)!.command!;
    expect(program).toBe('node');
    return join(assembler.folderOf(image), script!);
  };
  const start = async (image: string, env: Record<string, string>) => {
    const script = relative(pathOf(), scriptOf(image));
    const options = { name: image, script, readyPath: '/health/live' };
    const process = await startApp({ ...options, env: { NODE_OPTIONS: READ_ONLY, ...env } });
    processes.push(process);
    return process;
  };

  it.each(images)('%s carries nothing for development', async (image) => {
    const files = await readdir(assembler.folderOf(image), { recursive: true });
    const own = files.filter((file) => !file.includes('node_modules'));
    expect(own.filter((file) => /\.(?:spec|fixture)\.|\.tsx?$|\.map$|tsbuildinfo|\.md$/.test(file))).toEqual(
      [],
    );
    const packages = await readdir(join(assembler.folderOf(image), 'node_modules'));
    for (const name of ['vitest', 'typescript', 'vite', 'oxlint', 'prettier', 'prisma'])
      expect(packages).not.toContain(name);
  });

  it(
    'work together, without writing a file: a database is migrated, a backend finds its worker and shows the dashboard',
    async () => {
      const server = process.env.DATABASE_URL!;
      const database = await createDatabase(server, `images_${randomUUID().replaceAll('-', '')}`);
      const env = { ...process.env, DATABASE_URL: database };
      const migrated = await promisify(execFile)(process.execPath, [scriptOf('migrate')], { env });
      expect(migrated.stdout).toMatch(/^applied /m);

      const worker = await start('worker', { WORKER_NAME: 'worker' });
      const prefix = `images-${randomUUID()}:`;
      const backend = await start('backend', {
        DATABASE_URL: database,
        REDIS_URL: process.env.REDIS_URL!,
        KEY_PREFIX: prefix,
        LOCK_NAME: prefix,
        DETECTOR_WORKERS: `ws://127.0.0.1:${worker.port}`,
        MODEL_BASE_URL: 'http://models.example.com',
      });
      await waitFor('a backend that is ready and has its worker', 60_000, async () => {
        const answer = await fetch(`${backend.url}/health/ready`);
        const { checks } = (await answer.json()) as { checks: { cluster: { workers?: { Ready: number } } } };
        return answer.ok && checks.cluster.workers?.Ready === 1 ? true : null;
      });
      const page = await fetch(`${backend.url}/`);
      expect(page.headers.get('content-type')).toMatch(/^text\/html/);
      const html = await page.text();
      expect(html).toBe(await readFile(pathOf('apps/dashboard/dist/index.html'), 'utf8'));
      for (const [, path] of html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g))
        expect([path, (await fetch(`${backend.url}${path}`)).status]).toEqual([path, 200]);
      expect(await backend.log()).not.toContain('ERR_ACCESS_DENIED');
    },
    TIMEOUT,
  );
});
