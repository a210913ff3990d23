import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as pathOf } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isAlive, startEtcd } from '@detector-cluster/dev-services';
import { waitFor } from '@detector-cluster/local-cluster';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { randomPrefix } from '../support/random-prefix.js';
import { ElectorProcess } from './support/elector-process.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let directory: string;
const processes: ElectorProcess[] = [];
const start = (args: readonly string[], env?: Readonly<Record<string, string>>) => {
  const started = ElectorProcess.start(args, env);
  processes.push(started);
  return started;
};

beforeAll(async () => {
  directory = await mkdtemp(pathOf(tmpdir(), 'elector-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));
afterEach(() => {
  for (const each of processes.splice(0)) each.kill();
});

const COMMANDS = ['--leader-begin-command', 'echo begin', '--leader-end-command', 'echo end'];

it('is run by npm exec in the repository', async () => {
  const root = new URL('../../', import.meta.url);
  // Without --no npm would download a package of that name.
  const args = ['exec', '--no', '--', 'elector', '--help'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root });
  expect(stdout).toMatch(/^Usage: elector /);
});

describe('elector with wrong arguments', () => {
  it.each([
    ['an unknown backend', ['run', '--backend', 'zookeeper'], /'--backend <name>'.*redis, etcd/],
    [
      'a bad duration',
      ['run', '--backend', 'memory', ...COMMANDS, '--error-timeout', '5'],
      /--error-timeout.*30s/,
    ],
    [
      'a flag with a typing error',
      ['run', '--bakend', 'memory'],
      /unknown option '--bakend'.*Did you mean --backend/,
    ],
    [
      'a URL of another store',
      ['status', '--backend', 'redis', '--redis-url', 'http://x'],
      /--redis-url must be/,
    ],
    [
      'half of a certificate',
      ['status', '--backend', 'etcd', '--etcd-cert', 'x'],
      /--etcd-key belong together/,
    ],
    ['an election without an outside', ['status', '--backend', 'memory'], /use redis, etcd or postgres/],
  ])('reports the problem of %s in one line, and exits with 2', async (_name, args, problem) => {
    const elector = start(args);
    expect(await elector.exit).toBe(2);
    expect(elector.stderr.trim().split('\n')).toEqual([expect.stringMatching(problem)]);
  });

  it.each([
    ['no backend', ['status'], /--backend is missing: name what elects/],
    [
      'no commands',
      ['run', '--backend', 'memory'],
      /--leader-begin-command is missing.*--leader-end-command is missing/,
    ],
  ])('names what is missing with %s in one line, and exits with 1', async (_name, args, problem) => {
    const elector = start(args);
    expect(await elector.exit).toBe(1);
    expect(elector.stderr.trim().split('\n')).toEqual([expect.stringMatching(problem)]);
  });

  it('takes every option from the environment as well, and names the variable', async () => {
    const elector = start(['run', ...COMMANDS], { ELECTOR_BACKEND: 'memory', ELECTOR_ERROR_TIMEOUT: 'soon' });
    expect(await elector.exit).toBe(2);
    expect(elector.stderr).toMatch(/ELECTOR_ERROR_TIMEOUT/);
  });
});

const run = (begin: string, end: string, ...more: string[]) =>
  start(
    ['run', '--backend', 'console', '--leader-begin-command', begin, '--leader-end-command', end, ...more],
    {
      SHELL: '/bin/sh',
    },
  );

describe('elector status', () => {
  it.each([
    ['redis', ['--redis-url', 'redis://127.0.0.1:1'], /Redis cannot be reached/],
    [
      'etcd',
      ['--etcd-endpoints', 'http://127.0.0.1:1'],
      /etcd at http:\/\/127\.0\.0\.1:1: .*check `endpoints`/,
    ],
    ['postgres', ['--postgres-url', 'postgresql://127.0.0.1:1/x'], /PostgreSQL: .*check host and port/],
  ])('says that %s does not answer, and exits with 1', async (backend, where, problem) => {
    const status = start(['status', '--backend', backend, ...where]);
    expect(await status.exit).toBe(1);
    expect(status.stderr).toMatch(problem);
  });
});

describe('elector run on a console', () => {
  const context = 'echo $ELECTOR_STATE $ELECTOR_INSTANCE_ID $ELECTOR_TERM';

  it('ends with 1 on input that it does not understand, when the end command is done', async () => {
    const elector = run(context, context, '--json');
    elector.write('LEADER 7\n');
    await elector.event('begin-done');
    elector.write('RUBBISH\n');
    expect(await elector.exit).toBe(1);
    await elector.event('end-done', ({ term }) => term === 7);
    await elector.event('stopping', ({ reason }) => reason === "'RUBBISH' is not an update of an election");
  });

  it('drops, counts and logs the updates of the error state', async () => {
    const elector = run(context, context, '--json', '--error-timeout', '1s');
    elector.write('ERROR\nLEADER\nNOTLEADER\nLEADER\n');
    await elector.event('updates-dropped', ({ count }) => count === 3);
    elector.endInput();
    expect(await elector.exit).toBe(0);
    expect(elector.stdout).not.toMatch(/"command-started"|begin-done/);
  });

  it('runs the commands in the order of the updates, and ends with the input', async () => {
    const elector = run(`sleep 0.2; ${context}; echo oh >&2`, context, '--instance-id', 'me');
    elector.write('LEADER 7\nNOTLEADER\nLEADER 9\n');
    elector.endInput();
    expect(await elector.exit).toBe(0);
    expect(elector.stdout.trim().split('\n')).toEqual([
      '[begin] leader me 7',
      '[end] notleader me 7',
      '[begin] leader me 9',
      '[end] notleader me 9',
    ]);
    expect(elector.stderr.match(/^\[begin\] oh$/gm)).toHaveLength(2);
  });

  it('gives up its candidacy for the error timeout when the begin command cannot be found', async () => {
    const elector = run('no-such-command', 'echo end', '--error-timeout', '1s', '--json');
    elector.write('LEADER\n');
    await elector.event('error-state', ({ message }) => /was not found/.test(String(message)));
    expect(elector.events.some(({ event }) => event === 'end-done')).toBe(false);
    elector.write('LEADER\n');
    await elector.event('updates-dropped');
    elector.write('LEADER\n');
    await elector.event('leader', (_event, index) => index > 0);
    elector.signal('SIGTERM');
    expect(await elector.exit).toBe(0);
  });

  it('ends a command that takes too long, and all its child processes', async () => {
    const file = pathOf(directory, 'child');
    const elector = run(
      `sleep 300 & echo $! > ${file}; wait`,
      'true',
      '--command-timeout',
      '500ms',
      '--json',
    );
    elector.write('LEADER\n');
    await elector.event('error-state', ({ message }) => /took longer than 0.5 s/.test(String(message)));
    expect(isAlive(Number(await readFile(file, 'utf8')))).toBe(false);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('runs the end command before it exits on %s', async (signal) => {
    const elector = run('true', 'sleep 0.3; echo ended', '--json');
    elector.write('LEADER\n');
    await elector.event('begin-done');
    elector.signal(signal);
    expect(await elector.exit).toBe(0);
    await elector.event('output', ({ line }) => line === 'ended');
  });

  it('does not wait forever for an end command, and says that the state may be inconsistent', async () => {
    const elector = run('true', 'sleep 300', '--stop-timeout', '1s', '--json');
    elector.write('LEADER\n');
    await elector.event('begin-done');
    elector.signal('SIGTERM');
    expect(await elector.exit).toBe(1);
    expect(elector.events.at(-1)).toMatchObject({
      event: 'inconsistent',
      message: expect.stringContaining('may be inconsistent'),
    });
  });
});

const leaderOf = (among: readonly ElectorProcess[]) =>
  Promise.any(among.map(async (each) => (await each.event('begin-done'), each)));

describe('elector run on Redis', () => {
  it('has one leader while instances are killed or ended, and answers status and resign', async () => {
    const lockName = `{${randomPrefix('elector')}}`;
    const where = ['--backend', 'redis', '--redis-url', process.env.REDIS_URL!, '--lock-name', lockName];
    const file = pathOf(directory, 'journal');
    await writeFile(file, '');
    const journal = async () => (await readFile(file, 'utf8')).trim().split('\n').filter(Boolean);
    const commands = ['begin', 'end'].flatMap((name) => [
      `--leader-${name}-command`,
      `echo ${name} $ELECTOR_INSTANCE_ID $ELECTOR_TERM >> ${file}`,
    ]);
    const join = (id: string) => start(['run', ...where, ...commands, '--instance-id', id, '--json']);
    const [a, b, c] = ['a', 'b', 'c'].map(join) as [ElectorProcess, ElectorProcess, ElectorProcess];

    const first = await leaderOf([a, b, c]);
    first.kill();
    const second = await leaderOf([a, b, c].filter((each) => each !== first));
    const { term } = await second.event('leader');

    const status = start(['status', ...where, '--json']);
    expect(await status.exit).toBe(0);
    expect(JSON.parse(status.stdout)).toEqual({ leaderId: second.id, term });

    const resign = start(['resign', ...where]);
    expect(await resign.exit).toBe(0);
    expect(resign.stdout).toBe(`${second.id} has resigned from term ${String(term)}\n`);
    const third = [a, b, c].find((each) => each !== first && each !== second)!;
    await third.event('begin-done');

    third.signal('SIGTERM');
    expect(await third.exit).toBe(0);
    await second.event('begin-done', (_event, index) => index > 0);
    second.signal('SIGTERM');
    expect(await second.exit).toBe(0);

    const steps = (await journal()).map((line) => line.split(' '));
    expect(steps.map(([what, who]) => `${what} ${who}`)).toEqual([
      `begin ${first.id}`,
      ...[second, third, second].flatMap(({ id }) => [`begin ${id}`, `end ${id}`]),
    ]);
    const terms = steps.filter(([what]) => what === 'begin').map(([, , each]) => Number(each));
    expect(terms).toEqual([...new Set(terms)].sort((x, y) => x - y));

    const leaderless = start(['status', ...where]);
    expect([await leaderless.exit, leaderless.stdout]).toEqual([1, 'no leader\n']);
  });

  it('says that the server cannot be reached, and keeps trying', async () => {
    const elector = start([
      'run',
      '--backend',
      'redis',
      '--redis-url',
      'redis://127.0.0.1:1',
      ...COMMANDS,
      '--json',
    ]);
    await elector.event('error', ({ code }) => code === 'STORE_UNREACHABLE');
    await sleep(200);
    expect(elector.alive).toBe(true);
    elector.signal('SIGTERM');
    expect(await elector.exit).toBe(0);
  });
});

describe('elector exec', () => {
  // Processes that start beside others may not run for a second.
  const where = ['--backend', 'redis', '--redis-url', process.env.REDIS_URL!, '--lock-ttl', '3s'];

  it('runs the command as it is given while it leads, and exits with its code', async () => {
    const command = ['sh', '-c', 'echo "$0" $ELECTOR_STATE; exit 3', 'a b'];
    const elector = start(['exec', '--backend', 'memory', '--', ...command]);
    expect(await elector.exit).toBe(3);
    expect(elector.stdout).toBe('a b leader\n');
  });

  it('exits with 127 when there is no such command', async () => {
    const elector = start(['exec', '--backend', 'memory', '--', 'no-such-command', '--flag']);
    expect(await elector.exit).toBe(127);
    expect(elector.stderr).toMatch(/no-such-command.*not found/);
  });

  it('leaves no command running when it is killed', async () => {
    const elector = start(['exec', '--backend', 'memory', '--json', '--', 'sh', '-c', 'sleep 300; true']);
    const { pid } = await elector.event('command-started');
    elector.kill();
    await waitFor('the end of the command', 20_000, () => (isAlive(Number(pid)) ? null : true));
  });

  it('runs it again when it fails, with the option', async () => {
    const file = pathOf(directory, 'tries');
    const script = `echo x >> ${file}; test $(wc -l < ${file}) -ge 3`;
    const policy = ['--restart', 'on-failure', '--restart-delay', '10ms'];
    const elector = start(['exec', '--backend', 'memory', ...policy, '--', 'sh', '-c', script]);
    expect(await elector.exit).toBe(0);
    expect(await readFile(file, 'utf8')).toBe('x\nx\nx\n');
  });

  it('runs one command at a time when two instances have one id, and a later term after a restart', async () => {
    const lockName = `{${randomPrefix('elector')}}`;
    const join = () =>
      start([
        'exec',
        ...where,
        '--lock-name',
        lockName,
        '--instance-id',
        'same',
        '--json',
        '--',
        'sleep',
        '300',
      ]);
    const first = join();
    const { term } = await first.event('leader');
    const second = join();
    await second.event('error', ({ code }) => code === 'DUPLICATE_CANDIDATE');
    await sleep(4_000);
    expect(second.events.filter(({ event }) => event === 'leader')).toEqual([]);
    first.kill();
    await second.event('leader', (event) => Number(event['term']) > Number(term));
    second.signal('SIGTERM');
    expect(await second.exit).toBe(0);
  });

  it('ends it when leadership is lost, and runs it again when it leads again', async () => {
    const lockName = `{${randomPrefix('elector')}}`;
    const join = (id: string) =>
      start(['exec', ...where, '--lock-name', lockName, '--instance-id', id, '--json', '--', 'sleep', '300']);
    const first = join('first');
    const { pid } = await first.event('command-started');
    const second = join('second');
    await second.event('follower', ({ leaderId }) => leaderId === 'first');
    first.signal('SIGSTOP');
    await second.event('command-started');
    first.signal('SIGCONT');
    await first.event('command-ended', ({ signal }) => signal === 'SIGTERM');
    expect(isAlive(Number(pid))).toBe(false);
    second.signal('SIGTERM');
    expect(await second.exit).toBe(0);
    await first.event('command-started', (_event, index) => index > 0);
    first.signal('SIGTERM');
    expect(await first.exit).toBe(0);
  });
});

describe('elector in a group', () => {
  const where = ['--backend', 'group', '--redis-url', process.env.REDIS_URL!];

  it('names a missing option', async () => {
    for (const [more, problem, code] of [
      [[], /--group-address is missing/, 1],
      [['--group-address', '127.0.0.1:0'], /--group-secret is missing/, 1],
      [
        ['--group-address', '127.0.0.1:0', '--group-secret', 'x'.repeat(16)],
        /--group-cert .* or --group-insecure/,
        2,
      ],
      [['--group-address', 'x', '--group-insecure'], /--group-address must be host:port/, 2],
    ] as const) {
      const elector = start(['run', ...where, ...COMMANDS, ...more]);
      expect(await elector.exit).toBe(code);
      expect(elector.stderr).toMatch(problem);
    }
  });

  it('leads, and ends in order', async () => {
    const group = [
      '--lock-name',
      `{${randomPrefix('elector')}}`,
      '--group-address',
      '127.0.0.1:0',
      '--group-insecure',
    ];
    const elector = start(['run', ...where, ...group, ...COMMANDS, '--json']);
    await elector.event('begin-done');
    elector.signal('SIGTERM');
    expect(await elector.exit).toBe(0);
    await elector.event('end-done');
  });
});

describe.each(['etcd', 'postgres'] as const)('elector on %s', (backend) => {
  let stop: (() => Promise<void>) | undefined;
  afterAll(() => stop?.());

  it('leads, answers status, and resigns on request', async () => {
    const where = ['--backend', backend, '--lock-name', randomPrefix('elector')];
    if (backend === 'etcd') {
      const server = await startEtcd();
      stop = () => server.stop();
      where.push('--etcd-endpoints', server.url);
    } else where.push('--postgres-url', process.env.DATABASE_URL!, '--postgres-table', 'elector_election');

    const elector = start(['run', ...where, ...COMMANDS, '--instance-id', 'one', '--json']);
    const { term } = await elector.event('leader');
    await elector.event('begin-done');
    const leader = async () => {
      const status = start(['status', ...where, '--json']);
      await status.exit;
      return JSON.parse(status.stdout) as { leaderId: string | null; term?: number };
    };
    expect(await leader()).toEqual({ leaderId: 'one', term });
    const resign = start(['resign', ...where]);
    expect(await resign.exit).toBe(0);
    await elector.event('end-done');
    await elector.event('leader', (event) => Number(event['term']) > Number(term));
    elector.signal('SIGTERM');
    expect(await elector.exit).toBe(0);
    expect(await leader()).toEqual({ leaderId: null });
  });
});
