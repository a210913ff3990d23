import type { ServerProcess } from '@detector-cluster/dev-services';
import { pause } from './until.js';

/** One cycle of a process that gets only a part of the time. Milliseconds. */
export interface DutyCycle {
  readonly runs: number;
  readonly stands: number;
}

/** For so many milliseconds, lets a process run only now and then. Afterwards it runs. */
export async function slowed(
  process: Pick<ServerProcess, 'pause' | 'resume'>,
  { runs, stands }: DutyCycle,
  lasts: number,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + lasts;
  try {
    while (performance.now() < end) {
      process.pause();
      await pause(stands, signal);
      process.resume();
      await pause(runs, signal);
    }
  } finally {
    process.resume();
  }
}
