import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * Whether a process runs. Its state decides, because signal 0 still reaches a zombie, and with a slow init (containers) a dead
 * process stays a zombie for long.
 */
export function isAlive(pid: number): boolean {
  const state = processState(pid);
  if (state === 'Z') return hasOtherThreads(pid);
  return state !== null && state !== 'X';
}

/** The first thread of a dying process may be a zombie while others still hold its sockets. */
function hasOtherThreads(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).length > 1;
  } catch {
    return false;
  }
}

/** One letter as in `ps`: R running, S sleeping, T stopped, Z zombie; `null`: no such process. */
export function processState(pid: number): string | null {
  if (existsSync('/proc/self/stat')) {
    try {
      // The command's name stands in parentheses and may contain any character, so count from the last one.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return stat.charAt(stat.lastIndexOf(')') + 2);
    } catch {
      return null;
    }
  }
  try {
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .charAt(0);
  } catch {
    return null;
  }
}
