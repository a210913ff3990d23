import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { waitFor } from '@detector-cluster/local-cluster';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { randomPrefix } from '../../support/random-prefix.js';
import { PROGRAM, TIMEOUT } from './elector-process.js';
import { useElectors } from './electors.js';

vi.setConfig({ testTimeout: 4 * TIMEOUT, hookTimeout: 4 * TIMEOUT });

const { fileOf } = useElectors();

const UNSHARE = ['--pid', '--fork', '--mount-proc', '--kill-child=SIGKILL'];
const { status, stderr } = spawnSync('unshare', [...UNSHARE, 'true'], { encoding: 'utf8' });
/** Only root may make a namespace of processes. */
const refusal = status === 0 ? undefined : `unshare: ${stderr || 'not installed'}`;

const canReap = 'execve' in process;

const launched: ChildProcess[] = [];
afterEach(() => {
  for (const each of launched.splice(0)) each.kill('SIGKILL');
});

/** Starts the program as process 1 of a container. */
function startAsProcessOne(...args: readonly string[]) {
  const child = spawn('unshare', [...UNSHARE, PROGRAM, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  launched.push(child);
  child.stdin.on('error', () => undefined);
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  return {
    write: (line: string) => child.stdin.end(line),
    /** Sends a signal to process 1. */
    signal: async (name: NodeJS.Signals) => {
      const [pid] = (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).split(' ');
      process.kill(Number(pid), name);
    },
    end: async () => {
      const [code] = (await once(child, 'exit')) as [number | null];
      const [out, err] = await output;
      return { code, out, err };
    },
  };
}

/** Writes how many processes are there, zombies among them. */
const COUNT = 'set -- /proc/[0-9]*; echo $#';
const exec = ['exec', '--backend', 'memory'];
const ALWAYS = ['--restart', 'always', '--restart-delay', '1ms'];
const RUNS = 30;

describe('elector as process 1', () => {
  it.for([
    ['its guards', ''],
    ['orphans of its command', '(sleep 0.01 &); '],
  ] as const)('does not collect %s', async ([of, script], { skip }) => {
    if (refusal) skip(refusal);
    if (script !== '' && !canReap) skip(`Node ${process.version} cannot reap ${of}`);
    const file = fileOf(randomPrefix('zombies'));
    const elector = startAsProcessOne(...exec, ...ALWAYS, '--', 'sh', '-c', `${script}${COUNT} >> ${file}`);
    const counts = await waitFor('all runs', 50_000, async () => {
      const lines = (await readFile(file, 'utf8')).trim().split('\n');
      return lines.length >= RUNS && lines;
    });
    await elector.signal('SIGTERM');
    expect((await elector.end()).code).toBe(0);
    // Processes of the last runs may not have ended yet.
    expect(Math.min(...counts.slice(-5).map(Number))).toBeLessThan(RUNS - 10);
  });

  it('says what to use where it cannot reap', async ({ skip }) => {
    if (refusal) skip(refusal);
    const { err } = await startAsProcessOne(...exec, '--', 'true').end();
    const advice = 'use Node 22.15 or newer, or give the container an init';
    if (canReap) expect(err).not.toContain(advice);
    else expect(err).toContain(advice);
  });

  it('passes on standard input, variables and the exit code', async ({ skip }) => {
    if (refusal) skip(refusal);
    const env = ['env', '-i', `PATH=${process.env.PATH!}`, 'spring.datasource.url=a b', PROGRAM];
    const child = spawn('unshare', [...UNSHARE, ...env, ...exec, '--', 'env', '-0'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const names = (await text(child.stdout)).split('\0').map((each) => each.split('=')[0]);
    expect(names.filter(Boolean).toSorted()).toEqual([
      'ELECTOR_INSTANCE_ID',
      'ELECTOR_STATE',
      'ELECTOR_TERM',
      'PATH',
      'spring.datasource.url',
    ]);
    const elector = startAsProcessOne(...exec, '--', 'sh', '-c', 'cat; exit 5');
    elector.write('hello\n');
    expect(await elector.end()).toMatchObject({ code: 5, out: 'hello\n' });
  });

  it.for(['SIGHUP', 'SIGUSR1', 'SIGINT'] as const)('passes on %s', async (signal, { skip }) => {
    if (refusal) skip(refusal);
    const name = signal.slice(3);
    const file = fileOf(randomPrefix('signal'));
    const script = `trap "exit 9" ${name}; echo ready > ${file}; while :; do sleep 0.05; done`;
    const elector = startAsProcessOne(...exec, '--', 'sh', '-c', script);
    await waitFor('the command', TIMEOUT, () => readFile(file, 'utf8'));
    await elector.signal(signal);
    expect((await elector.end()).code).toBe(9);
  });
});
