import { tempDirectory } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SampleStage } from './sample-stage.js';

let directory: string;
let lines: string[];
let stage: SampleStage | undefined;

beforeEach(async () => {
  directory = await tempDirectory('sample-stage');
  lines = [];
});
afterEach(async () => {
  await stage?.close();
  await rm(directory, { recursive: true });
});

const print = (line: string) => void lines.push(line);

/** A stage on the server of REDIS_URL, whose replicas run this program. */
const open = async (program: string, signal = new AbortController().signal) => {
  await mkdir(join(directory, 'dist'));
  await writeFile(join(directory, 'dist/main.js'), program);
  return (stage = await SampleStage.open({ directory, postgres: false, signal, print }));
};

const WAITS = 'setInterval(() => {}, 1_000);';

it('reads every line of a replica, including the last one of an orderly end', async () => {
  const opened = await open(`
    process.stdout.write('grüß');
    setTimeout(() => console.log(' dich, ' + process.env.WHO), 100);
    process.once('SIGTERM', () => (console.error('goodbye'), process.exit()));
    ${WAITS}
  `);
  await opened.start({ WHO: 'Änne' });
  await opened.until('the first line', () => lines.length > 0);
  stage = undefined;
  await opened.close();
  expect(lines).toEqual(['replica-1 | grüß dich, Änne', 'replica-1 | goodbye']);
});

it('ends a wait when a replica ends by itself, but not when the play ends it', async () => {
  const opened = await open(`if (process.env.BAD) console.log('too bad'); else ${WAITS}`);
  const replica = await opened.start();
  await replica.crash();
  const later = performance.now() + 200;
  await expect(opened.until('time to pass', () => performance.now() > later)).resolves.toBe(true);
  await opened.start({ BAD: 'yes' });
  await expect(opened.until('nothing', () => false)).rejects.toThrow('replica-2 has ended');
  expect(lines).toEqual(['replica-2 | too bad']);
});

it('leaves no keys of the sample', async () => {
  const { redis } = await open('');
  await redis.set('sample-det:left', '1');
  const other = new Redis(process.env.REDIS_URL!);
  await stage!.close();
  stage = undefined;
  expect(await other.keys('sample-det:*')).toEqual([]);
  other.disconnect();
});
