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

/**
 * Blocks until the kernel has stopped all threads of a process that got SIGSTOP. On a busy machine a thread may still answer
 * requests for some milliseconds after the signal was sent. Returns at once without `/proc`.
 */
export function waitUntilStopped(pid: number, timeout = 2_000): void {
  const deadline = performance.now() + timeout;
  while (threadStates(pid).some((state) => !'TtZX'.includes(state))) {
    if (performance.now() > deadline)
      throw new Error(`process ${pid} still runs ${timeout} ms after SIGSTOP`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
}

/** The state of each thread, as in {@link processState}; empty when the process has ended or there is no `/proc`. */
export function threadStates(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => stateOf(`${pid}/task/${thread}`) ?? []);
  } catch {
    return [];
  }
}

/** One letter as in `ps`: R running, S sleeping, T stopped, Z zombie; `null`: no such process. */
export function processState(pid: number): string | null {
  if (existsSync('/proc/self/stat')) return stateOf(String(pid));
  try {
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .charAt(0);
  } catch {
    return null;
  }
}

const stateOf = (path: string): string | null => statOf(path)?.[0] ?? null;

/** State, parent and more of a process or thread; null when it has ended. */
function statOf(path: string): string[] | null {
  try {
    // The command's name stands in parentheses and may contain any character, so count from the last one.
    const stat = readFileSync(`/proc/${path}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** Process ids of the direct children of `parent`; from `/proc` if it exists, because small images lack `ps`. */
export function childProcesses(parent: number): number[] {
  if (existsSync('/proc/self/stat'))
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(statOf(name)?.[1]) === parent)
      .map(Number);
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, ppid]) => (ppid === parent ? [pid!] : []));
}

/**
 * Milliseconds that the main thread of a process has been ready to run without a processor, as counted by Linux; null on other
 * systems. Shows how much a busy machine adds to latencies.
 */
export function processorWait(pid: number | 'self'): number | null {
  return processorTimes(pid)?.waited ?? null;
}

/** What Linux counts of a thread. Milliseconds. */
export interface ProcessorTimes {
  /** It had a processor. */
  readonly ran: number;
  /** It was ready to run without a processor. */
  readonly waited: number;
}

/** The times of the main thread of a process; null on systems other than Linux. */
export function processorTimes(pid: number | 'self'): ProcessorTimes | null {
  try {
    return parseTimes(readFileSync(`/proc/${pid}/schedstat`, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Milliseconds that the host of a virtual machine has kept its processors from running, added over all processors; 0 on other
 * systems. No process counts this as waiting.
 */
export function stolenTime(): number {
  try {
    return parseStolen(readFileSync('/proc/stat', 'utf8'));
  } catch {
    return 0;
  }
}

/** The eighth number of the first line, in hundredths of a second. */
export function parseStolen(stat: string): number {
  const [, stolen = 0] = /^cpu +(?:\d+ ){7}(\d+)/.exec(stat) ?? [];
  return Number(stolen) * 10;
}

/** Three numbers: time run, time waited (both in nanoseconds), times it was run. */
export function parseTimes(schedstat: string): ProcessorTimes | null {
  const [, ran, waited] = /^(\d+) (\d+) \d+\s*$/.exec(schedstat) ?? [];
  return waited === undefined ? null : { ran: Number(ran) / 1e6, waited: Number(waited) / 1e6 };
}
