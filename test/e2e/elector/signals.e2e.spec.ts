import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { ProgramUnavailableError } from '@detector-cluster/dev-services';
import { waitFor } from '@detector-cluster/local-cluster';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { randomPrefix } from '../../support/random-prefix.js';
import { useElectors } from './electors.js';
import { type Launcher, LAUNCHERS } from './launchers.js';
import { TIMEOUT } from './elector-process.js';

vi.setConfig({ testTimeout: 4 * TIMEOUT, hookTimeout: 4 * TIMEOUT });

const { start, fileOf } = useElectors();
const launched: ChildProcess[] = [];
afterEach(() => {
  for (const each of launched.splice(0)) each.kill('SIGKILL');
});

/** Signals that a process can catch, but for faults, those of terminals for jobs, and real-time ones, which Node does not have. */
const SIGNALS = [
  ...(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM', 'SIGIO'] as const),
  ...(['SIGPWR', 'SIGXCPU', 'SIGURG', 'SIGWINCH', 'SIGCONT', 'SIGTERM'] as const),
];

/** Says which signals it gets, and ends with 9 at SIGTERM. */
const LISTENER = `
  for (const name of ${JSON.stringify(SIGNALS)}) process.on(name, () => {
    console.log('got ' + name);
    if (name === 'SIGTERM') process.exit(9);
  });
  setInterval(() => undefined, 1_000);
  console.log('listens, process ' + process.pid);
`;

/** What a launcher does with a signal: `passes` it on, `keeps` it, or `ends` by it while the command runs on. */
const DOES: Record<Exclude<Launcher, 'direct'>, (signal: NodeJS.Signals) => 'passes' | 'keeps' | 'ends'> = {
  elector: () => 'passes',
  tini: () => 'passes',
  'dumb-init': () => 'passes',
  flock: (signal) => (['SIGURG', 'SIGWINCH', 'SIGCONT'].includes(signal) ? 'keeps' : 'ends'),
};

describe.each(Object.keys(DOES) as (keyof typeof DOES)[])('%s', (name) => {
  it.for(SIGNALS)('%s: what it does with it is in the table', async (signal, { skip }) => {
    const launcher = LAUNCHERS[name];
    if (launcher instanceof ProgramUnavailableError) return skip(launcher.message);
    const [file, ...args] = [...launcher, process.execPath, '-e', LISTENER];
    const child = spawn(file!, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    launched.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    const said = (text: RegExp) =>
      waitFor(
        String(text),
        TIMEOUT,
        () => text.exec(output),
        () => output,
      );
    const [, pid] = await said(/listens, process (\d+)/);
    child.kill(signal);
    const does = DOES[name](signal);
    if (does === 'passes') await said(new RegExp(`got ${signal}\n`));
    else if (does === 'ends') expect(await exit).toEqual([null, signal]);
    if (does !== 'passes' || signal !== 'SIGTERM') process.kill(Number(pid), 'SIGTERM');
    await said(/got SIGTERM\n/);
    await waitFor(
      'the end of the launcher',
      TIMEOUT,
      () => child.exitCode !== null || child.signalCode !== null,
    );
    expect(output).not.toContain('ebugger');
    if (does !== 'passes') expect(output.replace(/got SIGTERM\n/, '')).not.toContain('got');
  });
});

/** `T` of a process that is stopped. */
const stateOf = async (pid: number) => (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]![0];

describe('elector exec', () => {
  const exec = ['exec', '--backend', 'memory', '--json'];

  it.each([
    ['SIGINT', 130],
    ['SIGQUIT', 131],
  ] as const)('ends with a command that ended by %s, also when it is to run always', async (signal, code) => {
    const elector = start([...exec, '--restart', 'always', '--', 'sleep', '300']);
    await elector.event('command-started');
    // The shell that becomes the command may still wait for its guard.
    elector.signal(signal);
    expect(await elector.exit).toBe(code);
    expect(elector.events.filter(({ event }) => event === 'command-started')).toHaveLength(1);
  });

  it('keeps leading while the command survives SIGINT', async () => {
    const script = 'trap "echo survived" INT; echo begun; while :; do sleep 0.05; done';
    const elector = start([...exec, '--', 'sh', '-c', script]);
    await elector.event('output', ({ line }) => line === 'begun');
    elector.signal('SIGINT');
    await elector.event('output', ({ line }) => line === 'survived');
    elector.signal('SIGINT');
    await elector.event('output', ({ line }, index) => line === 'survived' && index > 1);
    expect(elector.events.some(({ event }) => event === 'not-leader')).toBe(false);
    elector.signal('SIGTERM');
    expect(await elector.exit).toBe(0);
  });

  it.each(['never', 'on-loss', 'always'])(
    'exits with 0 after SIGTERM, with --restart %s',
    async (restart) => {
      const elector = start([...exec, '--restart', restart, '--', 'sleep', '300']);
      await elector.event('command-started');
      elector.signal('SIGTERM');
      expect(await elector.exit).toBe(0);
    },
  );

  it('ignores SIGHUP without a command, and ends at SIGINT', async () => {
    const elector = start([...exec, '--restart', 'always', '--restart-delay', '1h', '--', 'true']);
    await elector.event('command-ended');
    elector.signal('SIGHUP');
    elector.signal('SIGINT');
    expect(await elector.exit).toBe(0);
    const { reason } = await elector.event('stopping');
    expect(reason).toBe('SIGINT');
  });

  it('stops with its command at SIGTSTP, and continues with it', async () => {
    // A shell that waits for a program which is stopped before its exec cannot be seen as stopped: it is in vfork. In the background it forks.
    const script = 'while :; do echo line; sleep 0.05 & wait $!; done';
    const elector = start([...exec, '--', 'sh', '-c', script]);
    const { pid } = await elector.event('command-started');
    await elector.event('output');
    elector.signal('SIGTSTP');
    await waitFor('both to stop', TIMEOUT, async () =>
      (await Promise.all([stateOf(elector.pid), stateOf(Number(pid))])).every((each) => each === 'T'),
    );
    const lines = elector.events.length;
    elector.signal('SIGCONT');
    await waitFor('more lines', TIMEOUT, () => elector.events.length > lines + 1);
    elector.signal('SIGTERM');
    expect(await elector.exit).toBe(0);
  });
});

describe('elector run', () => {
  const ENDING = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'];

  it.each(SIGNALS)('runs the end command at %s if that ends it, and then only', async (signal) => {
    const file = fileOf(randomPrefix('run'));
    const commands = ['begin', 'end'].flatMap((name) => [
      `--leader-${name}-command`,
      `echo ${name} >> ${file}`,
    ]);
    const elector = start(['run', '--backend', 'memory', '--json', ...commands]);
    await elector.event('begin-done');
    elector.signal(signal);
    if (!ENDING.includes(signal)) elector.signal('SIGTERM');
    expect(await elector.exit).toBe(0);
    expect((await elector.event('stopping'))['reason']).toBe(ENDING.includes(signal) ? signal : 'SIGTERM');
    expect(await readFile(file, 'utf8')).toBe('begin\nend\n');
    expect(elector.stderr).toBe('');
  });
});
