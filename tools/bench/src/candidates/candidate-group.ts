import { tempDirectory } from '@detector-cluster/dev-services';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LibraryName } from '../peers/leader-libraries.js';
import { CandidateProcess } from './candidate-process.js';
import { JournalReader } from './journal-reader.js';

/** A store that has just started may elect nobody for as long as the longest lease. */
const FIRST_ELECTION = 60_000;

/** The candidates of one election, each a process of its own, and the journal they share. */
export class CandidateGroup {
  private constructor(
    private readonly directory: string,
    readonly journal: JournalReader,
    private readonly candidates: readonly CandidateProcess[],
  ) {}

  /** Resolves when all compete; one leads or will. */
  static async start(library: LibraryName, storeUrl: string, size: number): Promise<CandidateGroup> {
    const directory = await tempDirectory('election');
    const path = join(directory, 'journal');
    const journal = new JournalReader(path);
    const args = { library, storeUrl, lock: `bench-${randomUUID()}`, journal: path };
    const started = await Promise.allSettled(
      Array.from({ length: size }, () => CandidateProcess.start(args, journal)),
    );
    const candidates = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const group = new CandidateGroup(directory, journal, candidates);
    const failed = started.find((each) => each.status === 'rejected');
    if (!failed) return group;
    await group.stop();
    throw failed.reason;
  }

  /** The candidate that was elected last, once one was. */
  async leader(): Promise<CandidateProcess> {
    await this.journal.waitFor('a first leader', FIRST_ELECTION, ({ event }) => event === 'elected');
    this.journal.read();
    const { pid } = this.journal.entries.findLast(({ event }) => event === 'elected')!;
    const leader = this.candidates.find((candidate) => candidate.pid === pid);
    if (!leader) throw new Error('the process that was elected last has ended');
    return leader;
  }

  async stop(): Promise<void> {
    await Promise.all(this.candidates.map((candidate) => candidate.stop()));
    this.journal.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}
