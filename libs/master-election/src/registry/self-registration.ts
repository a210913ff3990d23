import type { Registry } from '../cluster/cluster.js';
import { DuplicateNodeIdError } from '../errors/duplicate-node-id.error.js';
import { Heartbeat, type HeartbeatOptions } from './heartbeat.js';
import type { ProcessEntry } from './process-entry.js';

const RETRY_INTERVAL = 1_000;

type EntryChange = Partial<Pick<ProcessEntry, 'metadata' | 'capabilities' | 'showsPresence'>>;

interface SelfRegistrationOptions {
  readonly registry: Registry;
  /** The `SchedulerRegistry` that the heartbeat is registered with, and under which name. */
  readonly heartbeat: Pick<HeartbeatOptions, 'scheduler' | 'key'>;
  readonly entry: Omit<ProcessEntry, 'lastSeen' | 'role'>;
  /** Refuse to take the place of a live process with the same id. */
  readonly refuseNamesake: boolean;
  /** What role to write; readers do not rely on it. */
  readonly role: () => ProcessEntry['role'];
  /** Told of every renewal that failed; it is repeated. */
  readonly onError: (error: Error) => void;
  /** A live process has the id, as was found out after the start; the registration has ended. */
  readonly onRefused: (error: DuplicateNodeIdError) => void;
}

/**
 * Keeps the entry of this process in the registry for as long as it lives. A renewal writes the whole entry, so that a
 * process that slept past its time to live, or whose entry was lost or removed, comes back.
 */
export class SelfRegistration {
  private entry: Omit<ProcessEntry, 'lastSeen' | 'role'>;
  private readonly heartbeat: Heartbeat;
  private retry: NodeJS.Timeout | undefined;
  private active = false;
  private registered = false;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: SelfRegistrationOptions) {
    this.entry = options.entry;
    this.heartbeat = new Heartbeat({ ...options.heartbeat, onBeat: () => void this.refresh() });
  }

  /**
   * Begins. Resolves after the first attempt, whether or not it succeeded.
   * @throws DuplicateNodeIdError
   */
  async start(): Promise<void> {
    this.begin();
    const refusal = await this.renew();
    if (refusal) throw refusal;
  }

  /** Renews now; failures are reported and repeated. */
  async refresh(): Promise<void> {
    if (!this.active) return;
    const refusal = await this.renew();
    if (refusal) this.options.onRefused(refusal);
  }

  /** Changes the entry; it is written now, and again if that fails. */
  change(change: EntryChange): void {
    this.entry = { ...this.entry, ...change };
    void this.refresh();
  }

  /** Changes the entry and writes it now. Begins the renewals again where they had ended. */
  async register(change: EntryChange): Promise<void> {
    this.entry = { ...this.entry, ...change };
    this.begin();
    await this.write();
  }

  /** Ends the renewals; the entry stays until it is removed or expires. */
  stop(): void {
    this.active = false;
    this.heartbeat.stop();
    clearTimeout(this.retry);
  }

  /** Ends the renewals and removes the entry. */
  async leave(): Promise<void> {
    this.stop();
    await this.writing;
    await this.options.registry.remove(this.entry.processId, this.entry.bootId);
  }

  private async renew(): Promise<DuplicateNodeIdError | undefined> {
    clearTimeout(this.retry);
    try {
      await this.write();
    } catch (error) {
      if (error instanceof DuplicateNodeIdError) {
        this.stop();
        return error;
      }
      if (!this.active) return undefined;
      clearTimeout(this.retry);
      this.retry = setTimeout(() => void this.refresh(), RETRY_INTERVAL);
      this.options.onError(error as Error);
    }
    return undefined;
  }

  /** A heartbeat that an operator has stopped stays stopped. */
  private begin(): void {
    if (this.active) return;
    this.active = true;
    this.heartbeat.start();
  }

  private async write(): Promise<void> {
    const { registry, refuseNamesake, role } = this.options;
    const entry = { ...this.entry, role: role(), lastSeen: new Date().toISOString() };
    const put = registry.put(entry, { unlessPresent: refuseNamesake && !this.registered });
    this.writing = put.catch(() => undefined);
    const bootBefore = await put;
    // Somebody took the place of this process: both live, and each overwrites the other's entry.
    if (this.registered && bootBefore !== null && bootBefore !== entry.bootId)
      this.options.onError(new DuplicateNodeIdError(entry.nodeId));
    this.registered = true;
  }
}
