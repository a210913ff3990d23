import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, open, readFile } from 'node:fs/promises';
import { waitFor } from '@detector-cluster/local-cluster';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { randomPrefix } from '../../support/random-prefix.js';
import { PROGRAM, TIMEOUT } from './elector-process.js';
import { useElectors } from './electors.js';

vi.setConfig({ testTimeout: 4 * TIMEOUT, hookTimeout: 4 * TIMEOUT });

const { fileOf } = useElectors();
const processes: ChildProcess[] = [];
afterEach(() => {
  for (const each of processes.splice(0)) each.kill('SIGKILL');
});

type Stream = 'stdout' | 'stderr';

/** What becomes of the output: its reader ends, or the disk is full. */
const LOSSES = {
  'its reader of stdout has ended': { streams: ['stdout'], full: false },
  'its reader of stderr has ended': { streams: ['stderr'], full: false },
  'its readers have ended': { streams: ['stdout', 'stderr'], full: false },
  'there is no space for stdout': { streams: ['stdout'], full: true },
  'there is no space for its output': { streams: ['stdout', 'stderr'], full: true },
} as const satisfies Record<string, { readonly streams: readonly Stream[]; readonly full: boolean }>;

type Loss = (typeof LOSSES)[keyof typeof LOSSES];

/** Starts the program, whose output is lost as soon as `lose` is called, and from the start where the disk is full. */
async function startWith({ streams, full }: Loss, args: readonly string[]) {
  const lost = (stream: Stream) => (streams as readonly Stream[]).includes(stream);
  const device = full ? await open('/dev/full', 'w') : undefined;
  const stdio = (stream: Stream) => (device && lost(stream) ? device.fd : 'pipe');
  const child = spawn(PROGRAM, args, { stdio: ['ignore', stdio('stdout'), stdio('stderr')] });
  processes.push(child);
  await device?.close();
  for (const stream of ['stdout', 'stderr'] as const) child[stream]?.resume();
  return {
    exit: once(child, 'exit'),
    lose: () => streams.forEach((stream) => child[stream]?.destroy()),
    terminate: () => child.kill('SIGTERM'),
  };
}

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
const until = (file: string, text: string) =>
  waitFor(`'${text}' in the file`, TIMEOUT, async () => ((await textOf(file)).includes(text) ? true : null));

/** Writes to both streams, before and after the file `$0-lost` exists, and then the marks `<name> <name>-done`. */
const TALKATIVE =
  'echo out; echo err >&2; echo $0 >> $1; until test -e $1-lost; do sleep 0.05; done; ' +
  'for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done; echo $0-done >> $1';

describe.each(Object.entries(LOSSES))('elector when %s', (_what, loss) => {
  it.each([
    ['run', []],
    ['run --json', ['--json']],
  ])('runs both commands of `%s` to their ends', async (_command, more) => {
    const file = fileOf(randomPrefix('run'));
    const talk = (name: string) => `sh -c '${TALKATIVE}' ${name} ${file}`;
    const commands = ['--leader-begin-command', talk('begin'), '--leader-end-command', talk('end')];
    const elector = await startWith(loss, ['run', '--backend', 'memory', ...commands, ...more]);
    await until(file, 'begin\n');
    elector.lose();
    await appendFile(`${file}-lost`, '');
    await until(file, 'begin-done\n');
    elector.terminate();
    expect(await elector.exit).toEqual([0, null]);
    expect(await textOf(file)).toBe('begin\nbegin-done\nend\nend-done\n');
  });

  it('runs the command of `exec --json` to its end, and exits with its code', async () => {
    const file = fileOf(randomPrefix('exec'));
    const command = ['sh', '-c', `${TALKATIVE}; exit 3`, 'command', file];
    const elector = await startWith(loss, ['exec', '--backend', 'memory', '--json', '--', ...command]);
    await until(file, 'command\n');
    elector.lose();
    await appendFile(`${file}-lost`, '');
    expect(await elector.exit).toEqual([3, null]);
    expect(await textOf(file)).toBe('command\ncommand-done\n');
  });

  it('leaves it to the command of `exec` what it does without a reader', async () => {
    const file = fileOf(randomPrefix('exec'));
    // It ignores SIGPIPE, as servers do, so that it only fails to write.
    const command = ['sh', '-c', `trap "" PIPE; ${TALKATIVE}; exit 3`, 'command', file];
    const elector = await startWith(loss, ['exec', '--backend', 'memory', '--', ...command]);
    await until(file, 'command\n');
    elector.lose();
    await appendFile(`${file}-lost`, '');
    expect(await elector.exit).toEqual([3, null]);
    expect(await textOf(file)).toBe('command\ncommand-done\n');
  });

  it.each([
    ['status', 1, ['status', '--backend', 'redis', '--redis-url', process.env.REDIS_URL!]],
    ['resign', 1, ['resign', '--backend', 'redis', '--redis-url', process.env.REDIS_URL!]],
    ['--help', 0, ['--help']],
    ['wrong arguments', 2, ['run', '--backend', 'zookeeper']],
  ] as const)('exits as ever with %s', async (command, code, args) => {
    const name = command === 'status' || command === 'resign' ? ['--lock-name', randomPrefix('none')] : [];
    const elector = await startWith(loss, [...args, ...name]);
    elector.lose();
    expect(await elector.exit).toEqual([code, null]);
  });
});

it('lets the command of `exec` end by SIGPIPE, as it would without the elector', async () => {
  const loss = LOSSES['its reader of stdout has ended'];
  const elector = await startWith(loss, ['exec', '--backend', 'memory', '--', 'yes']);
  elector.lose();
  expect(await elector.exit).toEqual([128 + 13, null]);
});
