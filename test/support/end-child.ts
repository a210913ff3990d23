import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Sends the signal to a child in any state, and resolves when the child has ended. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
