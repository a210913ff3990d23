import { spawnSync } from 'node:child_process';
import { isAlive } from '@detector-cluster/dev-services';
import { waitFor } from '@detector-cluster/local-cluster';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { randomPrefix } from '../../support/random-prefix.js';
import { PROGRAM, TIMEOUT } from './elector-process.js';
import { useElectors } from './electors.js';
import { Terminal } from './terminal.js';

vi.setConfig({ testTimeout: 4 * TIMEOUT, hookTimeout: 4 * TIMEOUT });

const { start } = useElectors();
const terminals: Terminal[] = [];
afterEach(() => {
  for (const each of terminals.splice(0)) each.close();
});

async function open(): Promise<Terminal> {
  const terminal = await Terminal.open();
  terminals.push(terminal);
  return terminal;
}

const EXEC = `${PROGRAM} exec --backend memory`;

/** Says what it gets. Ends with 7 at Ctrl-C. */
const LISTENER = `node -e '${[
  'process.stdout.on("resize", () => console.log("size " + process.stdout.columns));',
  'process.on("SIGQUIT", () => console.log("quit"));',
  'process.on("SIGINT", () => { console.log("interrupted"); process.exit(7); });',
  'require("readline").createInterface({ input: process.stdin }).on("line", (line) => console.log("got-" + line));',
  'console.log("list" + "ens", process.pid, process.ppid);',
].join(' ')}'`;

const missing = ['script', 'bash', 'stty'].filter(
  (name) => spawnSync('sh', ['-c', 'command -v "$0"', name]).status !== 0,
);

describe.each([
  ['by itself', ''],
  ['under elector exec', `${EXEC} -- `],
  ['under elector exec that restarts it always', `${EXEC} --restart always -- `],
])('a command at a terminal, %s', (_how, launcher) => {
  it('reads, is resized, stopped, continued and interrupted', async ({ skip }) => {
    if (missing.length > 0) skip(`not installed: ${missing.join(', ')}`);
    const terminal = await open();
    await terminal.type(launcher + LISTENER);
    await terminal.shows(/listens \d+/);
    await terminal.type('one');
    await terminal.shows(/got-one/);
    await terminal.widen(101);
    await terminal.shows(/size 101/);
    await terminal.press('\x1c');
    await terminal.shows(/quit/);
    await terminal.press('\x1a');
    await terminal.shows(/Stopped[^]*ready> $/);
    await terminal.type('fg');
    await terminal.shows(/node -e/);
    await terminal.type('two');
    await terminal.shows(/got-two/);
    await terminal.press('\x03');
    await terminal.shows(/interrupted[^]*ready> $/);
    expect(terminal.news.match(/interrupted/g)).toHaveLength(1);
    await terminal.type('echo "code" $?');
    await terminal.shows(/code 7[^]*ready> $/);
  });

  it('runs in the background without the terminal', async ({ skip }) => {
    if (missing.length > 0) skip(`not installed: ${missing.join(', ')}`);
    const terminal = await open();
    await terminal.type(`${launcher}cat &`);
    // It is stopped when it reads.
    await waitFor('the job to be stopped', TIMEOUT, async () => {
      await terminal.type('jobs; echo "list""ed"');
      await terminal.shows(/listed\r\n/);
      return terminal.news.includes('Stopped');
    });
    await terminal.type('kill -KILL %1; wait; echo "end""ed"');
    await terminal.shows(/ended\r\n/);
  });

  it('ends when the terminal hangs up', async ({ skip }) => {
    if (missing.length > 0) skip(`not installed: ${missing.join(', ')}`);
    const terminal = await open();
    await terminal.type(launcher + LISTENER);
    const [, ...pids] = await terminal.shows(/listens (\d+) (\d+)/);
    terminal.close();
    for (const pid of pids) await waitFor('its end', TIMEOUT, () => !isAlive(Number(pid)));
  });
});

describe('elector exec at a terminal', () => {
  it('loses leadership when it is stopped for long, and its command with it', async ({ skip }) => {
    if (missing.length > 0) skip(`not installed: ${missing.join(', ')}`);
    const where = `--backend redis --redis-url ${process.env.REDIS_URL!} --lock-name {${randomPrefix('terminal')}} --lock-ttl 3s`;
    const terminal = await open();
    await terminal.type(`${PROGRAM} exec ${where} -- ${LISTENER}`);
    const [, pid] = await terminal.shows(/listens (\d+)/);
    await terminal.press('\x1a');
    await terminal.shows(/Stopped[^]*ready> $/);
    const other = start([
      'exec',
      ...where.split(' '),
      '--instance-id',
      'other',
      '--json',
      '--',
      'sleep',
      '300',
    ]);
    await other.event('command-started');
    expect(isAlive(Number(pid))).toBe(false);
    other.signal('SIGTERM');
    expect(await other.exit).toBe(0);
    await terminal.type('fg');
    await terminal.shows(/listens \d+/);
    await terminal.press('\x03');
    await terminal.shows(/interrupted[^]*ready> $/);
  });
});
