import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEtcd } from '@detector-cluster/dev-services';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { randomPrefix } from '../../support/random-prefix.js';
import { type ElectorProcess, TIMEOUT } from './elector-process.js';
import { COMMANDS, useElectors } from './electors.js';

vi.setConfig({ testTimeout: 4 * TIMEOUT, hookTimeout: 4 * TIMEOUT });

const { start, fileOf } = useElectors();

/** The first that leads, after it has led `turns` times. */
const leaderOf = (among: readonly ElectorProcess[], turns = 0) =>
  Promise.any(
    among.map(async (each) => (await each.event('begin-done', (_event, index) => index === turns), each)),
  );

describe('elector run on Redis', () => {
  it('has one leader while instances are killed or ended, and answers status and resign', async () => {
    const lockName = `{${randomPrefix('elector')}}`;
    const where = ['--backend', 'redis', '--redis-url', process.env.REDIS_URL!, '--lock-name', lockName];
    const file = fileOf('journal');
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

    const third = [a, b, c].find((each) => each !== first && each !== second)!;
    // A leader that has resigned waits for a second, and leads again if the other candidate was not fast enough.
    let turns = 0;
    for (let next = second; next === second;) {
      const { term: last } = await second.event('leader', (_event, index) => index === turns);
      const resign = start(['resign', ...where]);
      expect(await resign.exit).toBe(0);
      expect(resign.stdout).toBe(`${second.id} has resigned from term ${String(last)}\n`);
      turns++;
      next = await Promise.any([leaderOf([third]), leaderOf([second], turns)]);
    }

    third.signal('SIGTERM');
    expect(await third.exit).toBe(0);
    await leaderOf([second], turns);
    second.signal('SIGTERM');
    expect(await second.exit).toBe(0);

    const steps = (await journal()).map((line) => line.split(' '));
    expect(steps.map(([what, who]) => `${what} ${who}`)).toEqual([
      `begin ${first.id}`,
      ...[...Array<ElectorProcess>(turns).fill(second), third, second].flatMap(({ id }) => [
        `begin ${id}`,
        `end ${id}`,
      ]),
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

describe('elector in a group', () => {
  const where = ['--backend', 'group', '--redis-url', process.env.REDIS_URL!];

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
