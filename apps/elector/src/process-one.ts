import { LIKE_BEFORE, throughShell } from './run/through-shell.js';

/** Passes signals on to the program, and reaps orphans while it waits for the program. */
const INIT = `
trap 'exit 1' INT QUIT TERM
exec 3<&0
${LIKE_BEFORE}
"$@" <&3 3<&- &
program=$!
for signal in HUP INT QUIT USR1 USR2 ALRM TERM CONT TSTP WINCH URG VTALRM IO PWR XCPU; do
  trap "kill -s $signal $program" $signal
done
while :; do
  wait $program
  code=$?
  # A signal interrupts wait.
  kill -0 $program 2>/dev/null || break
done
exit $code
`;

type Execve = (file: string, args: readonly string[], env: NodeJS.ProcessEnv) => never;

/**
 * Process 1 of a container inherits orphans, and Node cannot reap them. So process 1 becomes a shell, which can, and which starts the
 * program again. Returns only where Node cannot do that: before 22.15.
 */
export function leaveProcessOne(): void {
  const { execve } = process as { execve?: Execve };
  if (!execve) return;
  const program = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  execve('/bin/sh', ['sh', '-c', INIT, 'elector', ...throughShell(program, process.env)], process.env);
}
