import type { FencedStore } from '@detector-cluster/election/fence';
import {
  inChunks,
  InvalidInputError,
  isCanary,
  offered,
  switchedTo,
  versionFor,
  watched,
  type CanaryHealth,
  type DesiredCameraSubscription,
  type DesiredEntry,
  type ModelRollout,
  type TrackedSubscription,
} from '@detector-cluster/placement/internal';
import type { ExplainedModel } from '@detector-cluster/placement';
import type { Redis } from 'ioredis';
import type { EventJournal } from '../operators/event-journal.js';
import { modelVersions, toModelRecord, type ModelRecord } from '../operators/model-record.js';
import type { ClusterLogger } from '../operators/worker-logger.js';
import type { CanaryOptions } from '../options/canary-options.js';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import type { ModelVersions } from '../shared/cluster-state.js';
import { HashMirror } from '../shared/hash-mirror.js';
import { OneByOne } from '../shared/one-by-one.js';
import { runInSlices } from '../shared/run-in-slices.js';
import type { ChangedRows } from '../sources/changed-rows.js';
import { leavesFileToProvider } from '../sources/checked-subscription.js';
import type { WantedFiles } from '../sources/fresh-model-file.js';
import { modelKey, type ModelFiles } from '../sources/model-files.js';
import type { ModelFile, ModelReference } from '../sources/model-url-provider.js';
import { ModelPacer } from './model-pacer.js';

export interface ModelRolloutsOptions {
  readonly store: FencedStore;
  readonly keys: Pick<ClusterKeys, 'models'>;
  readonly files: Pick<ModelFiles, 'fileOf' | 'look' | 'versionOf'>;
  /** Null: a new version goes to all cameras. */
  readonly canary: CanaryOptions | null;
  readonly desired: () => ReadonlyMap<string, DesiredEntry>;
  readonly tracked: () => ReadonlyMap<string, TrackedSubscription>;
  readonly journal: Pick<EventJournal, 'add'>;
  readonly logger: Pick<ClusterLogger, 'log' | 'warn'>;
  /** Wall clock, milliseconds. Default: that of the process. */
  readonly wallNow?: () => number;
  /** The subscriptions of these rows have to be read again, because some are to run another version. */
  readonly onChange: (rows: ChangedRows) => void;
  /** Ends the rollouts of this term. */
  readonly signal: AbortSignal;
}

/** Decides which camera runs which version of a model's file, and writes that down before any camera runs it. */
export class ModelRollouts implements WantedFiles {
  private readonly known = new Map<string, ModelRecord>();
  private readonly mirror: HashMirror;
  /** Models whose provider is asked whether it still has the current version. */
  private readonly beginning = new Set<string>();
  /** Cameras whose worker could not load a model since the last look. */
  private failed = new Set<string>();
  private readonly pacer: ModelPacer;
  /** Two changes never mix. */
  private readonly changes = new OneByOne();

  constructor(private readonly options: ModelRolloutsOptions) {
    this.mirror = new HashMirror(options.store, options.keys.models);
    this.pacer = new ModelPacer({
      ...options,
      targetOf: (subscription) => this.targetOf(subscription),
      wallNow: () => this.now(),
      onTurn: options.onChange,
    });
  }

  async load(redis: Redis): Promise<void> {
    for (const text of (await this.mirror.load(redis)).values()) {
      const record = toModelRecord(text);
      if (record !== null) this.known.set(modelKey(record), record);
    }
  }

  /** Repairs what Redis has lost. */
  async compare(): Promise<void> {
    if (!(await this.mirror.compare())) return;
    const records = [...this.known].map(([key, record]) => [key, JSON.stringify(record)] as const);
    await this.changes.run(() => this.mirror.sync(new Map(records)));
  }

  /** All models whose file has a known version. */
  list(): ModelVersions[] {
    return [...this.known.values()].map(modelVersions).sort((a, b) => a.modelId - b.modelId);
  }

  /** Asks for the versions of these models, see {@link ModelFiles.look}, and decides about new ones. */
  async look(models: readonly ModelReference[], isNews: boolean): Promise<void> {
    await this.options.files.look(models, isNews);
    for (const model of models) await this.offer(model);
  }

  /** See {@link ModelPacer.versionOf}. */
  versionOf(subscription: DesiredCameraSubscription): string | undefined {
    return this.pacer.versionOf(subscription);
  }

  /** See {@link ModelPacer.passed}. */
  passed(): void {
    this.pacer.passed();
  }

  fileOf(model: ModelReference): Promise<ModelFile> {
    return this.options.files.fileOf(model);
  }

  async wantedFile(subscription: DesiredCameraSubscription): Promise<ModelFile | null> {
    const { modelId, modelName, modelVersion, subscriptionIdentifier: id } = subscription;
    const model = { modelId, modelName };
    const file = await this.fileOf(model);
    const { version } = file;
    if (version === undefined || version === modelVersion) return file;
    const target = this.targetOf(subscription);
    const isWaiting = target !== modelVersion && this.versionOf(subscription) === modelVersion;
    if (modelVersion !== undefined && (isWaiting || target === modelVersion)) {
      const kept = await this.fileOf({ ...model, version: modelVersion });
      if (kept.version === modelVersion) return kept;
      const isRunning = this.options.tracked().get(id)?.status === 'active';
      if (isWaiting ? isRunning : this.known.get(modelKey(model))?.candidate === version)
        throw new Error(
          `the provider gives version ${version} of the file, and not ${modelVersion} any more`,
        );
    }
    if (isWaiting) this.pacer.cannotWait(subscription);
    else this.options.onChange({ models: [modelId] });
    return null;
  }

  /** The model of a subscription, for people. */
  explain({ spec, cameraId }: DesiredEntry): ExplainedModel {
    const { modelId, modelName, modelVersion: version = null } = spec;
    const record = this.known.get(modelKey(spec));
    const candidate = record?.candidate ?? null;
    const target = record === undefined ? version : versionFor(record, cameraId);
    const next = target === version ? null : target;
    return {
      modelId,
      modelName,
      version,
      next,
      candidate,
      isCanary: target !== null && target === candidate,
    };
  }

  /**
   * All cameras run this version of the model. Resolves with whether that has changed anything, once it is written down.
   * @throws {InvalidInputError} naming the parameter
   */
  async switchTo(modelId: number, version: string): Promise<boolean> {
    const records = [...this.known.values()].filter((record) => record.modelId === modelId);
    if (records.length === 0) throw new InvalidInputError('modelId', `no camera runs a model ${modelId}`);
    const record = records.find((each) => switchedTo(each, version, 0) !== null);
    if (record === undefined) {
      const { candidate, current, former } = records[0]!;
      const allowed = [candidate, current, former].filter((each) => each !== null);
      throw new InvalidInputError('version', `must be one of ${allowed.join(', ')}`);
    }
    const { modelName } = record;
    const file = await this.fileOf({ modelId, modelName, version });
    if (file.version !== undefined && file.version !== version)
      throw new InvalidInputError(
        'version',
        `the provider of model URLs does not have ${version} any more; it gives ${file.version}`,
      );
    const changed = await this.change(record, (before) =>
      before === undefined ? before : (switchedTo(before, version, this.now()) ?? before),
    );
    if (changed) this.options.onChange({ models: [modelId] });
    return changed;
  }

  /** A worker could not load the model of these cameras. */
  modelFailed(cameras: Iterable<string>): void {
    for (const camera of cameras) this.failed.add(camera);
  }

  /** Confirms canaries that have run for long enough, and forgets models that no subscription uses. */
  async watch(): Promise<void> {
    if (this.known.size === 0) return;
    const { failed } = this;
    this.failed = new Set();
    try {
      await this.watchCanaries(failed);
    } catch (error) {
      this.modelFailed(failed);
      throw error;
    }
  }

  private async watchCanaries(failed: ReadonlySet<string>): Promise<void> {
    const { canary, desired, tracked } = this.options;
    const health = new Map<string, CanaryHealth>();
    const states = tracked();
    const look = ([id, { cameraId, spec }]: [string, DesiredEntry]) => {
      const key = modelKey(spec);
      const { active, isTroubled } = health.get(key) ?? { active: 0, isTroubled: false };
      const version = this.known.get(key)?.candidate ?? null;
      const isConcerned = version !== null && leavesFileToProvider(spec) && this.targetOf(spec) === version;
      const { reason, status } = (isConcerned ? states.get(id) : undefined) ?? {};
      // One that waits for its turn has not shown anything yet.
      const isActive = status === 'active' && spec.modelVersion === version && !failed.has(cameraId);
      health.set(key, {
        active: active + (isActive ? 1 : 0),
        isTroubled: isTroubled || (isConcerned && !isActive && reason !== 'camera-offline'),
      });
    };
    await runInSlices(inChunks(desired(), look));
    const unused = [...this.mirror.fields()].filter((key) => !health.has(key));
    if (unused.length > 0) await this.changes.run(() => this.forget(unused));
    for (const [key, record] of this.known) {
      if (!isCanary(record)) continue;
      const confirmAfter = canary?.confirmAfter ?? null;
      const step = (before?: ModelRollout) =>
        before && watched(before, health.get(key)!, confirmAfter, this.now());
      if ((await this.change(record, step)) && !isCanary(this.known.get(key)!))
        this.options.onChange({ models: [record.modelId] });
    }
  }

  private targetOf(subscription: DesiredCameraSubscription): string | undefined {
    const record = this.known.get(modelKey(subscription));
    // It may have been forgotten since the look, because no subscription of the last read used the model.
    if (record === undefined) return this.options.files.versionOf(subscription);
    return versionFor(record, cameraOf(subscription));
  }

  private now(): number {
    return (this.options.wallNow ?? Date.now)();
  }

  private async forget(unused: readonly string[]): Promise<void> {
    await this.mirror.apply(new Map(unused.map((key) => [key, null])));
    for (const key of unused) this.known.delete(key);
  }

  private async offer(model: ModelReference): Promise<void> {
    const { canary, files } = this.options;
    const version = files.versionOf(model);
    const record = this.known.get(modelKey(model));
    if (version === undefined) return;
    const isNew = record !== undefined && record.current !== version && record.candidate !== version;
    if (isNew && canary !== null) void this.begin(model, record.current, canary.share);
    else await this.change(model, (before) => offered(before, version, { ...ALL, now: this.now() }));
  }

  /**
   * Begins a canary, if the provider still has the current version: the other cameras need it when they move to another worker. Otherwise all
   * cameras get the new version. Never rejects: the next read of the desired state tries again.
   */
  private async begin(model: ModelReference, current: string, share: number): Promise<void> {
    const { files, logger, onChange } = this.options;
    const key = modelKey(model);
    if (this.beginning.has(key)) return;
    this.beginning.add(key);
    try {
      const kept = await this.fileOf({ ...model, version: current });
      const hasKept = kept.version === current;
      const cameras = hasKept ? await this.camerasOf(key) : [];
      const version = files.versionOf(model)!;
      if (!hasKept)
        logger.warn(
          `model ${key} gets version ${version} without a canary: its provider does not have ${current} any more`,
        );
      const how = { ...(hasKept ? { share } : ALL), cameras, now: this.now() };
      if (await this.change(model, (before) => offered(before, version, how)))
        onChange({ models: [model.modelId] });
    } catch (error) {
      logger.warn(`the canary of model ${key} does not begin yet: ${(error as Error).message}`);
    } finally {
      this.beginning.delete(key);
    }
  }

  private async camerasOf(key: string): Promise<string[]> {
    const cameras: string[] = [];
    const look = ({ cameraId, spec }: DesiredEntry) => {
      if (modelKey(spec) === key) cameras.push(cameraId);
    };
    await runInSlices(inChunks(this.options.desired().values(), look));
    return cameras;
  }

  /** Resolves with whether anything has changed, once it is written down. */
  private change(
    { modelId, modelName }: ModelReference,
    step: (before: ModelRollout | undefined) => ModelRollout | undefined,
  ): Promise<boolean> {
    return this.changes.run(async () => {
      const model = { modelId, modelName };
      const key = modelKey(model);
      const before = this.known.get(key);
      const after = step(before);
      if (after === undefined || after === before) return false;
      const record = { ...after, ...model };
      await this.mirror.apply(new Map([[key, JSON.stringify(record)]]));
      this.known.set(key, record);
      if (before !== undefined) this.tell(before, record);
      return true;
    });
  }

  private tell(before: ModelRecord, after: ModelRecord): void {
    const { journal, logger } = this.options;
    const { modelId, modelName } = after;
    const step = stepBetween(before, after);
    if (step === null) return;
    journal.add({ type: 'model-version', modelId, modelName, ...step });
    const { former, share, version } = step;
    logger.log(
      step.step === 'back'
        ? `model ${modelId} (${modelName}) goes back from version ${version} to ${former}`
        : `model ${modelId} (${modelName}) gets version ${version} in place of ${former} on ${share} % of its cameras`,
    );
  }
}

const ALL = { cameras: [], share: 100 } as const;

/** The subscription may not be checked yet. */
const cameraOf = ({ subscriptionIdentifier: id }: DesiredCameraSubscription): string =>
  String(id).slice(String(id).indexOf(';') + 1);

interface Step {
  readonly step: 'canary' | 'everywhere' | 'back';
  readonly version: string;
  readonly former: string;
  readonly share: number;
}

function stepBetween(before: ModelRollout, after: ModelRollout): Step | null {
  const { candidate, current, former, share } = after;
  if (isCanary(after))
    return candidate === before.candidate
      ? null
      : { step: 'canary', version: candidate!, former: current, share };
  if (current !== before.current && former === before.current)
    return { step: 'everywhere', version: current, former, share: 100 };
  const left = current === before.current ? before.candidate : before.current;
  return left === null ? null : { step: 'back', version: left, former: current, share: 0 };
}
