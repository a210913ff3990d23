import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** Process ids of the direct children of `parent`. */
export function childProcesses(parent: number): number[] {
  return table()
    .filter(([, ppid]) => ppid === parent)
    .map(([pid]) => pid);
}

/** Every process with its parent; from `/proc` if it exists, because small images lack `ps`. */
function table(): [pid: number, ppid: number][] {
  if (!existsSync('/proc/self/stat'))
    return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return [[Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]];
      } catch {
        // It has ended in the meantime.
        return [];
      }
    });
}
