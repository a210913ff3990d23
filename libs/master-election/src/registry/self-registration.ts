import type { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import type { Registry } from './process-registry.js';
import { DuplicateNodeIdError, FormatLevelError } from '../shared/errors.js';
import type { ProcessEntry } from './process-entry.js';

/** How often a process renews its entry. Seconds. */
const HEARTBEAT_SECONDS = 10;

interface HeartbeatOptions {
  /** Lists the heartbeat for operators, who can stop and start it there. */
  readonly scheduler: SchedulerRegistry;
  /** Name of the heartbeat in the scheduler. */
  readonly key: string;
  readonly onBeat: () => void;
}

/** The heartbeat of a process in the registry of processes: a cron job of `@nestjs/schedule`. */
class Heartbeat {
  private readonly job: CronJob;

  constructor(private readonly options: HeartbeatOptions) {
    const { key: name, onBeat: onTick } = options;
    // A random phase spreads the heartbeats of the cluster over the interval.
    const phase = Math.floor(Math.random() * HEARTBEAT_SECONDS);
    this.job = CronJob.from({ cronTime: `${phase}-59/${HEARTBEAT_SECONDS} * * * * *`, name, onTick });
  }

  start(): void {
    const { scheduler, key } = this.options;
    if (!scheduler.doesExist('cron', key)) scheduler.addCronJob(key, this.job);
    this.job.start();
  }

  stop(): void {
    const { scheduler, key } = this.options;
    void this.job.stop();
    if (scheduler.doesExist('cron', key) && scheduler.getCronJob(key) === this.job)
      scheduler.deleteCronJob(key);
  }
}

const RETRY_INTERVAL = 1_000;

type EntryChange = Partial<Pick<ProcessEntry, 'metadata' | 'capabilities' | 'showsPresence'>>;

/** The registry does not take this process, and will not. */
export type Refusal = DuplicateNodeIdError | FormatLevelError;

const isRefusal = (error: unknown): error is Refusal =>
  error instanceof DuplicateNodeIdError || error instanceof FormatLevelError;

interface SelfRegistrationOptions {
  readonly registry: Registry;
  /** The `SchedulerRegistry` that lists the heartbeat, and its name there. */
  readonly heartbeat: Pick<HeartbeatOptions, 'scheduler' | 'key'>;
  readonly entry: Omit<ProcessEntry, 'lastSeen' | 'role'>;
  /** Refuse to replace the entry of a live process with the same id. */
  readonly refuseNamesake: boolean;
  /** The role to write; readers do not rely on it. */
  readonly role: () => ProcessEntry['role'];
  /** Called for every failed renewal, which is then retried. */
  readonly onError: (error: Error) => void;
  /** Called when this process is registered for the first time. */
  readonly onRegistered: () => void;
  /** Called if the registry refuses this process after the start. The registration has ended. */
  readonly onRefused: (error: Refusal) => void;
}

/**
 * Keeps the entry of this process in the registry while it lives. A renewal writes the whole entry. This restores it after the
 * process slept past its time to live, or after the entry was lost or removed.
 */
export class SelfRegistration {
  private entry: Omit<ProcessEntry, 'lastSeen' | 'role'>;
  private readonly heartbeat: Heartbeat;
  private retry: NodeJS.Timeout | undefined;
  private active = false;
  private registered = false;
  private refusal: Refusal | undefined;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: SelfRegistrationOptions) {
    this.entry = options.entry;
    this.heartbeat = new Heartbeat({ ...options.heartbeat, onBeat: () => void this.refresh() });
  }

  /**
   * Begins. Resolves after the first attempt, whether or not it succeeded.
   * @throws DuplicateNodeIdError, FormatLevelError
   */
  async start(): Promise<void> {
    this.begin();
    const refusal = await this.renew();
    if (refusal) throw refusal;
  }

  /** Renews now. Reports and retries failures. */
  async refresh(): Promise<void> {
    if (!this.active) return;
    const refusal = await this.renew();
    if (refusal) this.options.onRefused(refusal);
  }

  /**
   * Renews now. An entry that has expired while this process was paused is written again, unless the registry refuses it.
   * @throws what prevents it
   */
  async confirm(): Promise<void> {
    if (this.refusal) throw this.refusal;
    if (!this.active) return;
    try {
      await this.attempt();
    } catch (error) {
      if (isRefusal(error)) this.options.onRefused(error);
      throw error;
    }
  }

  /** Changes the entry and writes it now. Retries if that fails. */
  change(change: EntryChange): void {
    this.entry = { ...this.entry, ...change };
    void this.refresh();
  }

  /** Changes the entry and writes it now. Restarts the renewals if they had ended. */
  async register(change: EntryChange): Promise<void> {
    this.entry = { ...this.entry, ...change };
    if (!this.refusal) this.begin();
    await this.confirm();
  }

  /** This process is about to end: it takes no detections any more. Resolves when others can read that, or after the first attempt. */
  async retire(): Promise<void> {
    const capabilities = { ...this.entry.capabilities, canProcessDetections: false };
    this.entry = { ...this.entry, capabilities };
    await this.refresh();
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

  private async renew(): Promise<Refusal | undefined> {
    clearTimeout(this.retry);
    try {
      await this.attempt();
    } catch (error) {
      if (isRefusal(error)) return error;
      if (!this.active) return undefined;
      clearTimeout(this.retry);
      this.retry = setTimeout(() => void this.refresh(), RETRY_INTERVAL);
      this.options.onError(error as Error);
    }
    return undefined;
  }

  /** Writes the entry. A refusal ends the renewals. */
  private async attempt(): Promise<void> {
    try {
      await this.write();
    } catch (error) {
      if (isRefusal(error)) {
        this.refusal = error;
        this.stop();
      }
      throw error;
    }
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
    // Another live process has the same id, and each overwrites the entry of the other.
    if (this.registered && bootBefore !== null && bootBefore !== entry.bootId)
      this.options.onError(new DuplicateNodeIdError(entry.nodeId));
    if (!this.registered) this.options.onRegistered();
    this.registered = true;
  }
}
