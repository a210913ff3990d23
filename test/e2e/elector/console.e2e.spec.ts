import { readFile } from 'node:fs/promises';
import { isAlive } from '@detector-cluster/dev-services';
import { waitFor } from '@detector-cluster/local-cluster';
import { describe, expect, it, vi } from 'vitest';
import { useElectors } from './electors.js';
import { TIMEOUT } from './elector-process.js';

vi.setConfig({ testTimeout: 4 * TIMEOUT, hookTimeout: 4 * TIMEOUT });

const { start, fileOf } = useElectors();

const run = (begin: string, end: string, ...more: string[]) =>
  start(
    ['run', '--backend', 'console', '--leader-begin-command', begin, '--leader-end-command', end, ...more],
    {
      SHELL: '/bin/sh',
    },
  );

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
    // The second update must come within the timeout.
    const elector = run('no-such-command', 'echo end', '--error-timeout', '5s', '--json');
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
    const file = fileOf('child');
    const elector = run(`sleep 300 & echo $! > ${file}; wait`, 'true', '--command-timeout', '5s', '--json');
    elector.write('LEADER\n');
    await elector.event('error-state', ({ message }) => /took longer than 5 s/.test(String(message)));
    const child = Number(await readFile(file, 'utf8'));
    await waitFor('the end of the child process', TIMEOUT, () => !isAlive(child));
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
