import type { Registry } from '../registry/process-registry.js';
import { DuplicateNodeIdError, UnknownProcessError } from '../shared/errors.js';
import type { ProcessEntry } from '../registry/process-entry.js';
import type { RegistrySnapshot } from '../registry/process-registry.js';
import { FIRST_FORMATS } from '../registry/format-levels.js';

/** The processes of a cluster in memory. Entries stay until they are removed. */
export class FakeRegistry implements Registry {
  readonly written = FIRST_FORMATS;
  private readonly entries = new Map<string, ProcessEntry>();

  put(entry: ProcessEntry, options: { unlessPresent?: boolean } = {}): Promise<string | null> {
    const before = this.entries.get(entry.processId);
    if (options.unlessPresent && before && before.bootId !== entry.bootId)
      return Promise.reject(new DuplicateNodeIdError(entry.nodeId));
    this.entries.set(entry.processId, entry);
    return Promise.resolve(before?.bootId ?? null);
  }

  touch(processId: string, lastSeen: string): Promise<void> {
    const entry = this.entries.get(processId);
    if (!entry) return Promise.reject(new UnknownProcessError(processId));
    this.entries.set(processId, { ...entry, lastSeen });
    return Promise.resolve();
  }

  read(): Promise<RegistrySnapshot> {
    return Promise.resolve({ entries: [...this.entries.values()], leaderId: null });
  }

  remove(processId: string): Promise<boolean> {
    return Promise.resolve(this.entries.delete(processId));
  }

  /** All processes are of this version. */
  raiseFormats(): Promise<void> {
    return Promise.resolve();
  }

  present(candidateIds: readonly string[]): Promise<Set<string>> {
    return Promise.resolve(new Set(candidateIds));
  }
}
