import type { Writable } from 'node:stream';
import type { Lease } from '@detector-cluster/election';
import { ProcessGroup } from '../commands/process-group.js';

/** How often the guard gets a later deadline. Milliseconds. */
const LOOK = 200;

/** The guard acts a little later than the program would. A share of the time until the command is killed. */
const MARGIN = 0.025;

/**
 * Starts a command, and beside it a guard that ends the command's process group when the program cannot. The guard reads
 * descriptor 3, whose other end only the program holds. Each line, `<seconds> <seconds>`, says when to send SIGTERM and how
 * much later to send SIGKILL, and replaces the line before. A program that is frozen sends no further line. When the program
 * ends, the descriptor does, and the guard sends SIGTERM at once.
 */
const GUARD = `
guard() {
  trap '' TERM
  watch=
  while read -r term kill <&3; do
    if [ -n "$watch" ]; then kill -USR1 "$watch"; fi
    (
      trap 'kill -KILL $!; exit' USR1
      sleep "$term" & wait $!
      kill -TERM -$$
      sleep "$kill" & wait $!
      kill -KILL -$$
    ) &
    watch=$!
  done
  kill -TERM -$$
  sleep "$1"
  kill -KILL -$$
}
guard "$1" >/dev/null 2>&1 &
shift
exec "$@" 3<&-
`;

interface GuardTimes {
  /** Milliseconds; `Infinity` for a lease without an end. */
  readonly renewDeadline: number;
  readonly killAfter: number;
}

interface GuardedOptions extends GuardTimes {
  readonly env: NodeJS.ProcessEnv;
  readonly output: 'pipe' | 'inherit';
}

/** Starts a command that does not outlive the lease, even when this process is killed or frozen. */
export function startGuarded(
  command: readonly string[],
  lease: Lease,
  { env, output, ...times }: GuardedOptions,
): ProcessGroup {
  const guarded = ['-c', GUARD, 'elector', seconds(times.killAfter), ...command];
  const group = ProcessGroup.start('/bin/sh', guarded, { env, stdio: ['ignore', output, output, 'pipe'] });
  const pipe = group.child.stdio[3] as Writable | null;
  // The guard may have ended before the program learns of it.
  pipe?.on('error', () => undefined);
  let sent = Infinity;
  const report = () => {
    const { exclusiveUntil } = lease;
    if (exclusiveUntil === sent) return;
    sent = exclusiveUntil;
    const untilKill = exclusiveUntil - performance.now() - marginOf(times);
    pipe?.write(`${seconds(untilKill - times.killAfter)} ${seconds(times.killAfter)}\n`);
  };
  report();
  const timer = setInterval(report, LOOK);
  const stop = () => clearInterval(timer);
  group.ended.then(stop, stop);
  return group;
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
