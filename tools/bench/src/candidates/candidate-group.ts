import { Guard, tempDirectory } from '@detector-cluster/dev-services';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { CandidateName } from './candidate-name.js';
import { CandidateProcess } from './candidate-process.js';
import type { JournalEntry } from './journal-entry.js';
import { JournalReader } from './journal-reader.js';

/** A store that has just started may refuse every candidate for the duration of the longest lease. */
const FIRST_ELECTION = 60_000;

const FIRST_WRITE = 10_000;

/** The candidates of one election, each in its own process, and their shared journal. */
export class CandidateGroup {
  private constructor(
    private readonly guard: Guard,
    readonly journal: JournalReader,
    private readonly candidates: readonly CandidateProcess[],
  ) {}

  /** Resolves when all compete. */
  static async start(library: CandidateName, storeUrl: string, size: number): Promise<CandidateGroup> {
    const directory = await tempDirectory('election');
    // This guard has no server. It only removes the directory, even if this process is killed.
    const guard = new Guard({ directory, stopSignal: 'KILL', timeout: 0 });
    const path = join(directory, 'journal');
    const journal = new JournalReader(path);
    const args = { library, storeUrl, lock: `bench-${randomUUID()}`, journal: path };
    const started = await Promise.allSettled(
      Array.from({ length: size }, () => CandidateProcess.start(args, journal)),
    );
    const candidates = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const group = new CandidateGroup(guard, journal, candidates);
    const failed = started.find((each) => each.status === 'rejected');
    if (!failed) return group;
    await group.stop();
    throw failed.reason;
  }

  /** Resolves with the last elected candidate, once it has acted as leader. */
  async leader(): Promise<CandidateProcess> {
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
