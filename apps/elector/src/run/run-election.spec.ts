import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { ConsoleElectionBackend } from '@detector-cluster/election/console';
import { VirtualClock } from '@detector-cluster/election/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Report } from '../report.js';
import { runElection } from './run-election.js';

type Update = 'LEADER' | 'NOTLEADER' | 'ERROR';

const ERROR_TIMEOUT = 30_000;
const RETRY = 5_000;
const ATTEMPTS = 12;

/** A run over a console, in virtual time, with commands that fail on request. */
class Trial {
  readonly trace: string[] = [];
  readonly events: string[] = [];
  exitCode: number | undefined;
  private readonly clock = new VirtualClock(10_000);
  private readonly input = new PassThrough();
  private readonly session;

  /** @param fails Whether the next run of a command does. */
  constructor(fails: (name: 'begin' | 'end') => boolean) {
    const stream = {
      write: (line: string) => {
        const { event, message = '' } = JSON.parse(line) as { event: string; message?: string };
        this.events.push(`${event} ${message}`.trim());
      },
    };
    const command = (name: 'begin' | 'end') => ({
      run: async ({ state }: { state: string }) => {
        await setImmediate();
        const failed = fails(name);
        this.trace.push(`${name} ${state}${failed ? ' failed' : ''}`);
        if (failed) throw new Error(`${name} failed`);
      },
      kill: () => undefined,
    });
    const backend = new ConsoleElectionBackend({
      input: this.input,
      output: new PassThrough().resume(),
      clock: this.clock,
      onDropped: (count) => this.events.push(`updates-dropped ${count}`),
    });
    this.session = runElection(
      {
        instanceId: 'me',
        leaderBeginCommand: '',
        leaderEndCommand: '',
        errorTimeout: ERROR_TIMEOUT,
        renewDeadline: Infinity,
        commandTimeout: 0,
        stopTimeout: 10_000,
      },
      {
        backend,
        control: undefined,
        report: new Report(true, 'me', { out: stream, err: stream }),
        clock: this.clock,
        commands: { begin: command('begin'), end: command('end') },
      },
    );
    void this.session.exit.then((code) => (this.exitCode = code));
    this.session.start();
  }

  async type(...updates: Update[]): Promise<void> {
    for (const update of updates) this.input.write(`${update}\n`);
    await this.settle();
  }

  endInput(): void {
    this.input.end();
  }

  async pass(duration: number): Promise<void> {
    for (let passed = 0; passed < duration; passed += 1_000) {
      this.clock.advance(1_000);
      await this.settle();
    }
  }

  async settle(): Promise<void> {
    for (let i = 0; i < 20; i++) await setImmediate();
  }
}

describe('the reconciliation of a run', () => {
  it('begins and ends with leadership, and does nothing twice', async () => {
    const trial = new Trial(() => false);
    await trial.type('NOTLEADER', 'LEADER', 'LEADER', 'NOTLEADER', 'NOTLEADER', 'LEADER');
    expect(trial.trace).toEqual(['begin leader', 'end notleader', 'begin leader']);
    trial.endInput();
    await trial.settle();
    expect([trial.trace.at(-1), trial.exitCode]).toEqual(['end notleader', 0]);
  });

  it('ends leadership on an error, drops and counts all updates of the error state, and then does not lead', async () => {
    const trial = new Trial(() => false);
    await trial.type('LEADER', 'ERROR', 'LEADER', 'NOTLEADER', 'LEADER');
    await trial.pass(2 * ERROR_TIMEOUT);
    expect(trial.trace).toEqual(['begin leader', 'end notleader']);
    expect(trial.events).toContain('updates-dropped 3');
    await trial.type('LEADER');
    expect(trial.trace.at(-1)).toBe('begin leader');
  });

  it('enters the error state also when it does not lead', async () => {
    const trial = new Trial(() => false);
    await trial.type('ERROR');
    expect(trial.events).toContain('error-state ERROR was typed');
    await trial.type('LEADER');
    await trial.pass(ERROR_TIMEOUT - 1_000);
    expect(trial.trace).toEqual([]);
    await trial.pass(1_000);
    await trial.type('LEADER');
    expect(trial.trace).toEqual(['begin leader']);
  });

  it('gives up its candidacy when the begin command fails, without the end command, and is not deadlocked', async () => {
    let failing = true;
    const trial = new Trial(() => failing);
    await trial.type('LEADER');
    expect(trial.events).toContain('error-state begin failed');
    failing = false;
    await trial.pass(ERROR_TIMEOUT);
    await trial.type('LEADER');
    expect(trial.trace).toEqual(['begin leader failed', 'begin leader']);
  });

  it('repeats an end command that fails, and exits when it has failed for good', async () => {
    const trial = new Trial((name) => name === 'end');
    await trial.type('LEADER', 'NOTLEADER');
    await trial.pass(RETRY * (ATTEMPTS - 2));
    expect([trial.trace.length - 1, trial.exitCode]).toEqual([ATTEMPTS - 1, undefined]);
    await trial.pass(RETRY);
    expect([trial.trace.length - 1, trial.exitCode]).toEqual([ATTEMPTS, 1]);
    expect(trial.events.at(-1)).toMatch(
      /^inconsistent the end command of term \d+ failed 12 times, 5 s apart: .*may be inconsistent$/,
    );
  });

  it('follows the table of states for any input and any failure', async () => {
    const step = fc.record({
      update: fc.constantFrom<Update>('LEADER', 'NOTLEADER', 'ERROR'),
      beginFails: fc.boolean(),
      endFailures: fc.integer({ min: 0, max: ATTEMPTS - 1 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        let now = steps[0]!;
        let endFailures = 0;
        const trial = new Trial((name) => (name === 'begin' ? now.beginFails : endFailures-- > 0));
        const expected: string[] = [];
        let leads = false;
        for (const each of steps) {
          now = each;
          endFailures = each.endFailures;
          if (each.update === 'LEADER') {
            if (!leads) expected.push(`begin leader${each.beginFails ? ' failed' : ''}`);
            leads ||= !each.beginFails;
          } else if (leads) {
            expected.push(...Array<string>(each.endFailures).fill('end notleader failed'), 'end notleader');
            leads = false;
          }
          await trial.type(each.update);
          await trial.pass(RETRY * ATTEMPTS + ERROR_TIMEOUT);
          expect(trial.trace).toEqual(expected);
        }
        expect(trial.exitCode).toBeUndefined();
      }),
      { numRuns: 20 },
    );
  });
});
