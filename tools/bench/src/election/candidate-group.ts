import {
  Guard,
  isAlive,
  startAll,
  startProgram,
  tempDirectory,
  waitFor,
  type ServerProcess,
} from '@detector-cluster/dev-services';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BackendName } from './bench-backends.js';
import { type JournalEntry } from './journal.js';
import { JournalReader } from './journal-reader.js';
import type { LibraryName } from './leader-libraries.js';

/** How a candidate competes: with a whole library, or with one of our backends under an `Elector`. */
export type CandidateName = LibraryName | BackendName;

/** Arguments of a candidate. */
export interface CandidateArguments {
  readonly library: CandidateName;
  readonly storeUrl: string;
  readonly lock: string;
  /** Path of the file that all candidates of the election share. */
  readonly journal: string;
}

// Also correct in tests, where this file runs from its source.
const script = fileURLToPath(new URL('../../dist/election/candidate.child.js', import.meta.url));

/** A store that has just started may refuse every candidate for the duration of the longest lease. */
const FIRST_ELECTION = 60_000;
const FIRST_WRITE = 10_000;
const EXIT = 20_000;

/** The candidates of one election, each in its own process, and their shared journal. */
export class CandidateGroup {
  private constructor(
    private readonly guard: Guard,
    readonly journal: JournalReader,
    private readonly candidates: readonly ServerProcess[],
  ) {}

  /** Resolves when all compete. */
  static async start(library: CandidateName, storeUrl: string, size: number): Promise<CandidateGroup> {
    const directory = await tempDirectory('election');
    // This guard has no server. It only removes the directory, even if this process is killed.
    const guard = new Guard({ directory, stopSignal: 'KILL', timeout: 0 });
    const path = join(directory, 'journal');
    const journal = new JournalReader(path);
    const args = { library, storeUrl, lock: `bench-${randomUUID()}`, journal: path };
    try {
      const starts = Array.from({ length: size }, () => startCandidate(args, journal));
      return new CandidateGroup(guard, journal, await startAll(starts));
    } catch (error) {
      await new CandidateGroup(guard, journal, []).stop();
      throw error;
    }
  }

  /** Resolves with the last elected candidate, once it has acted as leader. */
  async leader(): Promise<ServerProcess> {
    const { journal, candidates } = this;
    await journal.waitFor('a first leader', FIRST_ELECTION, ({ event }) => event === 'elected');
    const elected = journal.entries.findLastIndex(({ event }) => event === 'elected');
    const { pid } = journal.entries[elected]!;
    const leader = candidates.find((candidate) => candidate.pid === pid);
    if (!leader) throw new Error('the process that was elected last has ended');
    const wrote = (entry: JournalEntry) => entry.event === 'wrote' && entry.pid === pid;
    await journal.waitFor('a write of the leader', FIRST_WRITE, wrote, elected);
    return leader;
  }

  async stop(): Promise<void> {
    await Promise.all(this.candidates.map((candidate) => candidate.stop()));
    this.journal.close();
    await this.guard.close();
  }
}

/** Starts a candidate again as a new process after a signal has ended it. */
export async function revive(candidate: ServerProcess): Promise<void> {
  await waitFor('the end of a candidate', EXIT, () => !isAlive(candidate.pid));
  await candidate.start();
}

/** Resolves when the candidate competes. */
function startCandidate(args: CandidateArguments, journal: JournalReader): Promise<ServerProcess> {
  return startProgram({
    name: args.library,
    command: () => [process.execPath, script, JSON.stringify(args)],
    ready: async (pid) => {
      journal.read();
      return journal.entries.some((entry) => entry.event === 'joined' && entry.pid === pid);
    },
    timeout: 1_000,
  });
}
