import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '@detector-cluster/dev-services';
import { waitFor } from '@detector-cluster/local-cluster';
import { describe, expect, it, vi } from 'vitest';
import { randomPrefix } from '../../support/random-prefix.js';
import { useElectors } from './electors.js';
import { TIMEOUT } from './elector-process.js';

vi.setConfig({ testTimeout: 4 * TIMEOUT, hookTimeout: 4 * TIMEOUT });

const { start, fileOf } = useElectors();

describe('elector exec', () => {
  // Processes of a busy machine may not run for some seconds.
  const where = ['--backend', 'redis', '--redis-url', process.env.REDIS_URL!, '--lock-ttl', '10s'];

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
    await waitFor('the end of the command', TIMEOUT, () => (isAlive(Number(pid)) ? null : true));
  });

  it('runs it again when it fails, with the option', async () => {
    const file = fileOf('tries');
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
    await sleep(11_000);
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
