import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { COMMANDS, useElectors } from './electors.js';
import { TIMEOUT } from './elector-process.js';

vi.setConfig({ testTimeout: 4 * TIMEOUT, hookTimeout: 4 * TIMEOUT });

const { start } = useElectors();

it('is run by npm exec in the repository', async () => {
  const root = new URL('../../../', import.meta.url);
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

describe('elector in a group with missing options', () => {
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
});
