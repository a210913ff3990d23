import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { isAlive, ProgramUnavailableError } from '@detector-cluster/dev-services';
import { waitFor } from '@detector-cluster/local-cluster';
import { describe, expect, it, vi } from 'vitest';
import { type Launcher, LAUNCHERS } from './launchers.js';
import { TIMEOUT } from './elector-process.js';

vi.setConfig({ testTimeout: 4 * TIMEOUT, hookTimeout: 4 * TIMEOUT });

const ENV = {
  PATH: process.env.PATH!,
  EMPTY: '',
  LINES: 'a\nb',
  // No identifier of a shell: some shells drop it.
  'spring.datasource.url': 'a b',
};

interface Observation {
  readonly command: readonly string[];
  /** Shell commands in the process that becomes the launcher. */
  readonly before?: string;
  readonly input?: string;
  /** What of the output is compared. Default: all of it. */
  readonly read?: (output: string) => string | Promise<string>;
  /** What the command sees by itself, and where it is not the same under a launcher. */
  readonly sees: { readonly direct: string } & { readonly [name in Launcher]?: string };
}

const sh = (script: string) => ['sh', '-c', script];

const variables = (output: string): string => {
  const found = new Map(output.split('\0').map((each) => each.split(/=(.*)/s) as [string, string]));
  found.delete('');
  const given = new Map(Object.entries(ENV));
  const changes = [...new Set([...given.keys(), ...found.keys()])].filter(
    (name) => found.get(name) !== given.get(name),
  );
  return changes.toSorted().join(' ');
};

const fateOf = async (output: string): Promise<string> => {
  const pid = Number(output);
  // A launcher may end a little before what it has sent a signal to.
  const ended = await waitFor('its end', 2_000, () => !isAlive(pid)).catch(() => false);
  if (!ended) process.kill(pid, 'SIGKILL');
  return ended ? 'has ended' : 'runs';
};

const OBSERVATIONS: Readonly<Record<string, Observation>> = {
  'its arguments': {
    command: ['printf', '[%s]', 'a b', '', '*', '$HOME', "'", '--', '-x'],
    sees: { direct: "[a b][][*][$HOME]['][--][-x]: 0" },
  },
  'standard input': { command: ['cat'], input: 'hello\n', sees: { direct: 'hello\n: 0' } },
  'the end of standard input': { command: ['wc', '-c'], input: '', sees: { direct: '0\n: 0' } },
  'its exit code, passed on': { command: sh('exit 7'), sees: { direct: ': 7' } },
  'the signal that kills it, passed on': {
    command: sh('kill -KILL $$'),
    sees: { direct: ': SIGKILL', elector: ': 137', flock: ': 137', tini: ': 137', 'dumb-init': ': 137' },
  },
  'that there is no such program': {
    command: ['no-such-program'],
    before: ':',
    sees: { direct: ': 127', flock: ': 69', 'dumb-init': ': 2' },
  },
  'variables beside those that were given': {
    command: ['env', '-0'],
    read: variables,
    sees: { direct: ': 0', elector: 'ELECTOR_INSTANCE_ID ELECTOR_STATE ELECTOR_TERM: 0' },
  },
  'children that it did not start': {
    command: sh('read -r children < /proc/$$/task/$$/children; echo "[$children]"'),
    sees: { direct: '[]\n: 0' },
  },
  'descriptors that it was not given': {
    command: ['ls', '/proc/self/fd'],
    // What the process of the tests has inherited.
    read: (output) =>
      output
        .split('\n')
        .filter((fd) => fd !== '' && Number(fd) < 16)
        .join(' '),
    sees: { direct: '0 1 2 3: 0', flock: '0 1 2 3 4: 0' },
  },
  'a descriptor that was given': {
    command: ['test', '-e', '/proc/self/fd/5'],
    before: 'exec 5</dev/null',
    // Node keeps it from all that it starts.
    sees: { direct: ': 0', elector: ': 1' },
  },
  'streams that never block': {
    command: [
      'grep',
      '-c',
      'flags:.*4...$',
      '/proc/self/fdinfo/0',
      '/proc/self/fdinfo/1',
      '/proc/self/fdinfo/2',
    ],
    sees: { direct: '/proc/self/fdinfo/0:0\n/proc/self/fdinfo/1:0\n/proc/self/fdinfo/2:0\n: 1' },
  },
  'which signals are blocked': {
    command: ['grep', 'SigBlk', '/proc/self/status'],
    sees: { direct: 'SigBlk:\t0000000000000000\n: 0' },
  },
  'which signals are ignored': {
    command: ['grep', 'SigIgn', '/proc/self/status'],
    sees: { direct: 'SigIgn:\t0000000000000000\n: 0' },
  },
  'that a signal was ignored before': {
    command: ['grep', 'SigIgn', '/proc/self/status'],
    before: 'trap "" HUP',
    sees: {
      direct: 'SigIgn:\t0000000000000001\n: 0',
      // Node resets them.
      elector: 'SigIgn:\t0000000000000000\n: 0',
      'dumb-init': 'SigIgn:\t0000000000000000\n: 0',
    },
  },
  'the limit of open files': {
    command: sh('ulimit -Sn'),
    before: 'ulimit -Sn 256; ulimit -Hn 512',
    // Node raises it.
    sees: { direct: '256\n: 0', elector: '512\n: 0' },
  },
  'directory and mask of files': {
    command: sh('pwd; umask'),
    before: 'cd /; umask 027',
    sees: { direct: '/\n0027\n: 0' },
  },
  'a group of its own': {
    command: sh(
      'read -r pid name state parent group rest < /proc/$$/stat; [ $pid = $group ] && echo yes || echo no',
    ),
    sees: { direct: 'no\n: 0', elector: 'yes\n: 0', tini: 'yes\n: 0', 'dumb-init': 'yes\n: 0' },
  },
  'what it has left running, afterwards': {
    command: sh('sleep 300 >/dev/null 2>&1 & echo $!'),
    read: fateOf,
    sees: { direct: 'runs: 0', elector: 'has ended: 0', 'dumb-init': 'has ended: 0' },
  },
};

async function observe(launcher: readonly string[], { command, before, input = '', read }: Observation) {
  const [file, ...args] = [
    ...(before === undefined ? [] : sh(`${before}; exec "$@"`)),
    ...(before === undefined ? [] : ['sh']),
    ...launcher,
    ...command,
  ];
  const child = spawn(file!, args, { env: ENV, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => undefined).end(input);
  child.stderr.resume();
  const [output, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return `${read ? await read(output) : output}: ${(code ?? signal) as number | string}`;
}

describe.each(Object.keys(LAUNCHERS) as Launcher[])('what a command sees: %s', (name) => {
  it.for(Object.entries(OBSERVATIONS))('%s', async ([_what, observation], { skip }) => {
    const launcher = LAUNCHERS[name];
    if (launcher instanceof ProgramUnavailableError) return skip(launcher.message);
    const { sees } = observation;
    expect(await observe(launcher, observation)).toBe(sees[name] ?? sees.direct);
  });
});
