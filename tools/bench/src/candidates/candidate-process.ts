import { isAlive, startProgram, type ServerProcess } from '@detector-cluster/dev-services';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { CandidateName } from './candidate-name.js';
import type { JournalReader } from './journal-reader.js';

/** Arguments of a candidate. */
export interface CandidateArguments {
  readonly library: CandidateName;
  readonly storeUrl: string;
  readonly lock: string;
  /** Path of the file that all candidates of the election share. */
  readonly journal: string;
}

// Also correct in tests, where this file runs from its source.
const script = fileURLToPath(new URL('../../dist/candidates/candidate.child.js', import.meta.url));
const EXIT_TIMEOUT = 20_000;

/** One candidate in its own process, under a guard: it ends with this process, even if it is frozen. */
export class CandidateProcess {
  private constructor(private readonly server: ServerProcess) {}

  /** Resolves when the candidate competes. */
  static async start(args: CandidateArguments, journal: JournalReader): Promise<CandidateProcess> {
    const { server } = await startProgram({
      name: args.library,
      command: () => [process.execPath, script, JSON.stringify(args)],
      ready: async (pid) => {
        journal.read();
        return journal.entries.some((entry) => entry.event === 'joined' && entry.pid === pid);
      },
      stopSignal: 'KILL',
      timeout: 1_000,
    });
    return new CandidateProcess(server);
  }

  get pid(): number {
    return this.server.pid;
  }

  /** Sends a signal without waiting. */
  signal(name: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): void {
    if (name === 'SIGSTOP') this.server.pause();
    else if (name === 'SIGCONT') this.server.resume();
    else process.kill(this.pid, name);
  }

  /** Starts it again as a new process after a signal has ended it. */
  async revive(): Promise<void> {
    const deadline = performance.now() + EXIT_TIMEOUT;
    while (isAlive(this.pid)) {
      if (performance.now() > deadline) throw new Error(`a candidate did not end within ${EXIT_TIMEOUT} ms`);
      await sleep(10);
    }
    await this.server.start();
  }

  /** Ends it permanently. */
  async stop(): Promise<void> {
    await this.server.stop();
  }
}
