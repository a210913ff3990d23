import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Lease } from '@detector-cluster/election';
import { ProcessGroup } from './process-group.js';
import { LIKE_BEFORE, throughShell } from './through-shell.js';

/** How often the guard gets a later deadline. Milliseconds. */
const LOOK = 200;

/** The guard acts a little later than the program would. A share of the time until the command is killed. */
const MARGIN = 0.025;

/**
 * Ends a command when the program cannot. Only the program holds the other end of its input. Each line,
 * `<target> <seconds> <seconds>`, says what to signal, when to send SIGTERM and how much later to send SIGKILL. It replaces the
 * line before. The line `<target>` sets no time. A program that is frozen sends no further line. When the program ends, the input does,
 * and the guard sends SIGTERM at once. After the line `done`, the guard ends without a signal. It waits for all that it starts, because
 * its parent may be unable to.
 */
const GUARD = `
watch=
forget() {
  if [ -n "$watch" ]; then kill -USR1 "$watch"; wait "$watch"; fi
}
while read -r target term kill; do
  forget
  if [ "$target" = done ]; then exit; fi
  last=$target
  watch=
  if [ -z "$term" ]; then continue; fi
  (
    trap 'kill -KILL $!; wait; exit' USR1
    sleep "$term" & wait $!
    kill -TERM "$target"
    sleep "$kill" & wait $!
    kill -KILL "$target"
  ) &
  watch=$!
done
forget
if [ -z "$last" ]; then exit; fi
kill -TERM "$last"
sleep "$1"
kill -KILL "$last"
`;

/** Becomes the command when the guard knows of it. */
const START = `read -r go <&3 || exit\n${LIKE_BEFORE}exec "$@" 3<&-`;

interface GuardTimes {
  /** Milliseconds; `Infinity` for a lease without an end. */
  readonly renewDeadline: number;
  readonly killAfter: number;
}

interface GuardedOptions extends GuardTimes {
  readonly env: NodeJS.ProcessEnv;
  readonly input: 'inherit' | 'ignore';
  readonly output: 'pipe' | 'inherit';
  /** The command stays in the group of this program. */
  readonly shared: boolean;
}

/** Starts a command that does not outlive the lease, even when this process is killed or frozen. */
export async function startGuarded(
  command: readonly string[],
  lease: Lease,
  { env, input, output, shared, ...times }: GuardedOptions,
): Promise<ProcessGroup> {
  const guard = spawn('/bin/sh', ['-c', GUARD, 'elector', seconds(times.killAfter)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // The guard may have ended before the program learns of it.
  guard.stdin.on('error', () => undefined);
  await once(guard, 'spawn');
  const group = ProcessGroup.start('/bin/sh', ['-c', START, 'elector', ...throughShell(command, env)], {
    env,
    stdio: [input, output, output, 'pipe'],
    shared,
  });
  group.ended.then(
    () => guard.stdin.end('done\n'),
    () => guard.stdin.end('done\n'),
  );
  await once(group.child, 'spawn');
  let sent: number | undefined;
  const report = (written?: (error?: Error | null) => void) => {
    const { exclusiveUntil } = lease;
    if (exclusiveUntil === sent) return;
    sent = exclusiveUntil;
    guard.stdin.write(`${group.target}${deadline(exclusiveUntil, times)}\n`, written);
  };
  const go = group.child.stdio[3] as Writable;
  go.on('error', () => undefined);
  // Without a guard the command does not begin.
  report((error) => go.end(error ? '' : 'go\n'));
  const timer = setInterval(() => report(), LOOK);
  void group.ended.then(() => clearInterval(timer));
  return group;
}

function deadline(exclusiveUntil: number, times: GuardTimes): string {
  if (exclusiveUntil === Infinity) return '';
  const untilKill = exclusiveUntil - performance.now() - marginOf(times);
  return ` ${seconds(untilKill - times.killAfter)} ${seconds(times.killAfter)}`;
}

/** How long a command may take to end after its lease did, so that it has ended before another candidate leads. Milliseconds. */
export function timeToEnd({ exclusiveUntil }: Lease, times: GuardTimes): number {
  const left = exclusiveUntil - performance.now() - marginOf(times);
  return Math.max(0, Math.min(times.killAfter, left));
}

function marginOf({ renewDeadline, killAfter }: GuardTimes): number {
  return renewDeadline === Infinity ? 0 : (renewDeadline + killAfter) * MARGIN;
}

function seconds(ms: number): string {
  return (Math.max(0, ms) / 1_000).toFixed(3);
}
