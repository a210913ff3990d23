import { isatty } from 'node:tty';
import { Command, CommanderError } from 'commander';
import type { BackendOptions } from './backend-options.js';
import { openBackend } from './open-backend.js';
import { askToResign, openControl, requireControl, showStatus } from './control.js';
import { execElection } from '../run/exec-election.js';
import { type ExecOptions, RESTARTS } from '../run/exec-run.js';
import { Report } from '../report.js';
import { runElection, type RunOptions } from '../run/run-election.js';
import type { Session } from '../run/session.js';
import { type LeaseTimeFlags, leaseTimes, type LeaseTimes } from './lease-times.js';
import { parseDuration, parsePositiveDuration } from './parse-duration.js';
import { addBackendOptions, addCandidateOptions, flag, notEmpty, requireFlags } from './options.js';
import { UsageError } from './usage.error.js';

/** All that end or stop a process by default, but for faults and for what no process can catch. Node has no real-time signals. */
const SIGNALS = [
  ...(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGTERM', 'SIGVTALRM'] as const),
  ...(['SIGIO', 'SIGPWR', 'SIGXCPU', 'SIGURG', 'SIGWINCH', 'SIGCONT'] as const),
];

type Common = BackendOptions & LeaseTimeFlags & { readonly instanceId: string; readonly json?: boolean };

type ExecFlags = Omit<ExecOptions, 'file' | 'args' | 'json' | 'surroundings' | keyof LeaseTimes>;

/** Runs the program. Returns its exit code: 0, 1 when it failed or lacks a flag, 2 when it was asked for something that makes no sense. */
export async function runCli(argv: readonly string[]): Promise<number> {
  let code = 0;
  const env = { ...process.env };
  // The parser treats any value of a flag without an argument as a yes.
  for (const name of ['ELECTOR_JSON', 'ELECTOR_GROUP_INSECURE'])
    if (/^(|0|no|false)$/i.test(process.env[name] ?? 'unset')) delete process.env[name];
  const program = new Command('elector')
    .description(
      'Run commands on the leader. Every option can also be given as ELECTOR_<NAME>, for example ELECTOR_BACKEND.',
    )
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .enablePositionalOptions();
  const add = (name: string, description: string) =>
    program.command(name).description(description).exitOverride().showHelpAfterError(false);

  addCandidateOptions(
    add('run', 'Run a command when this instance becomes leader, and another when it no longer is.'),
  )
    .addOption(
      flag(
        '--leader-begin-command <command>',
        "for the shell, when this instance becomes leader; 'true' for none",
      ).argParser(notEmpty),
    )
    .addOption(
      flag(
        '--leader-end-command <command>',
        "for the shell, when it no longer is; 'true' for none",
      ).argParser(notEmpty),
    )
    .addOption(
      flag(
        '--command-timeout <duration>',
        'a command that takes longer is ended, and has failed; 0s: none is',
      )
        .argParser(parseDuration)
        .default(60_000, '1m'),
    )
    .addHelpText(
      'after',
      '\nThe commands find ELECTOR_TERM, ELECTOR_INSTANCE_ID and ELECTOR_STATE (leader, notleader) in their environment.',
    )
    .action(async (options: Common & Omit<RunOptions, 'renewDeadline'>) => {
      requireFlags(options, 'backend', 'leaderBeginCommand', 'leaderEndCommand');
      code = await compete(options, (context, { renewDeadline }) =>
        runElection({ ...options, renewDeadline }, context),
      );
    });

  addCandidateOptions(
    add('exec', 'Hold leadership while a command runs; end the command when leadership is lost.'),
  )
    .argument('<command>', 'what to run, without a shell')
    .argument('[args...]', 'its arguments, after --')
    .passThroughOptions()
    .addOption(flag('--restart <when>', 'when to run the command again').choices(RESTARTS).default('on-loss'))
    .addOption(
      flag('--restart-delay <duration>', 'pause before the command is run again')
        .argParser(parseDuration)
        .default(1_000, '1s'),
    )
    .addOption(
      flag(
        '--kill-after <duration>',
        'between SIGTERM and SIGKILL, when the command is to end (default: 5s, or less where --lock-ttl is short)',
      ).argParser(parsePositiveDuration),
    )
    .action(async (file: string, args: string[], options: Common & ExecFlags) => {
      requireFlags(options, 'backend');
      const { json = false } = options;
      // The program itself reads the console.
      const input = options.backend === 'console' ? 'ignore' : 'inherit';
      const terminal = input === 'inherit' && isatty(0);
      const surroundings = { env, input, terminal } as const;
      code = await compete(options, (context, times) => {
        const session = execElection({ ...options, ...times, file, args, json, surroundings }, context);
        // A terminal stops the whole job.
        if (!terminal) process.on('SIGTSTP', () => session.signal('SIGTSTP'));
        return session;
      });
    });

  addBackendOptions(add('status', 'Show the leader. Exit code 1: there is none.')).action(
    async (options: Common) => {
      requireFlags(options, 'backend');
      code = await withControl(options, (control) => showStatus(control, options.json ?? false, print));
    },
  );

  addBackendOptions(add('resign', 'Ask the leader to resign, and wait until it has.'))
    .addOption(
      flag('--timeout <duration>', 'how long to wait')
        .argParser(parsePositiveDuration)
        .default(30_000, '30s'),
    )
    .action(async (options: Common & { readonly timeout: number }) => {
      requireFlags(options, 'backend');
      code = await withControl(options, (control) =>
        askToResign(control, options.timeout, options.json ?? false, print),
      );
    });

  try {
    await program.parseAsync([...argv]);
    return code;
  } catch (error) {
    return explain(error, argv);
  }
}

async function compete(
  options: Common,
  begin: (context: Parameters<typeof runElection>[1], times: LeaseTimes) => Session,
): Promise<number> {
  const { json = false, instanceId } = options;
  const report = new Report(json, instanceId);
  const onWarning = (message: string) => report.event('warning', message, { message });
  const times = leaseTimes(options);
  const backend = await openBackend(
    { ...options, lockTtl: times.lockTtl },
    {
      onWarning,
      output: process.stderr,
      onUnknown: (line) => session.stop(`'${line}' is not an update of an election`, 1),
      onDropped: (count) =>
        report.event('updates-dropped', `dropped ${count} update(s) of the error state`, { count }),
    },
  );
  const control = await openControl(options);
  const session: Session = begin({ backend, control, report }, times);
  for (const signal of SIGNALS) process.on(signal, () => session.signal(signal));
  if (process.pid === 1)
    onWarning(
      `process 1 of a container inherits orphans, which Node ${process.versions.node} cannot reap: use Node 22.15 or newer, or give the container an init (docker run --init)`,
    );
  session.start();
  return session.exit;
}

async function withControl(
  options: BackendOptions,
  work: (control: Awaited<ReturnType<typeof requireControl>>) => Promise<number>,
): Promise<number> {
  const control = await requireControl(options);
  try {
    return await work(control);
  } finally {
    await control.close();
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The error in one line. */
function explain(error: unknown, argv: readonly string[]): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // Without a command it shows its help.
    if (error.code === 'commander.help') {
      process.stderr.write(
        "elector: no command given: use run, exec, status or resign, see 'elector --help'\n",
      );
      return 2;
    }
    const said = error.message
      .replace(/^error: /, '')
      .replaceAll(/\s*\n\s*/g, ' ')
      .replace(/\.$/, '');
    const command = ['run', 'exec', 'status', 'resign'].find((name) => argv.includes(name));
    process.stderr.write(`elector: ${said}; see 'elector${command ? ` ${command}` : ''} --help'\n`);
    return 2;
  }
  const { message } = error as Error;
  process.stderr.write(`elector: ${message}\n`);
  return error instanceof UsageError ? error.exitCode : 1;
}
