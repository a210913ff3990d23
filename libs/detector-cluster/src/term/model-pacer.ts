import { getOrInsertComputed, Repeater } from '@detector-cluster/election/internal';
import {
  displayOf,
  hasOtherVersion,
  inChunks,
  lessFar,
  modelPace,
  versionStep,
  type CameraVersion,
  type DesiredCameraSubscription,
  type DesiredEntry,
  type ModelPace,
  type TrackedSubscription,
} from '@detector-cluster/placement/internal';
import type { EventJournal } from '../operators/event-journal.js';
import type { ClusterLogger } from '../operators/worker-logger.js';
import { runInSlices } from '../shared/run-in-slices.js';
import type { ChangedRows } from '../sources/changed-rows.js';
import { leavesFileToProvider } from '../sources/checked-subscription.js';
import { modelKey } from '../sources/model-files.js';
import type { ModelReference } from '../sources/model-url-provider.js';

/** Milliseconds between two looks. */
const BETWEEN_LOOKS = 100;

export interface ModelPacerOptions {
  readonly desired: () => ReadonlyMap<string, DesiredEntry>;
  readonly tracked: () => ReadonlyMap<string, TrackedSubscription>;
  /** The version that a subscription is to run in the end; undefined: none is known. */
  readonly targetOf: (subscription: DesiredCameraSubscription) => string | undefined;
  readonly journal: Pick<EventJournal, 'add'>;
  readonly logger: Pick<ClusterLogger, 'log' | 'warn'>;
  /** Wall clock, milliseconds. */
  readonly wallNow: () => number;
  /** The subscriptions of these displays have to be read again, because it is their turn. */
  readonly onTurn: (rows: ChangedRows) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

interface UnderWay {
  readonly version: string;
  /** How many cameras ran it when the last pause was announced; null: none was. */
  readonly pausedAt: number | null;
}

/** What a look finds of one model. */
class ModelCameras {
  readonly cameras = new Map<string, CameraVersion>();
  /** Camera → its subscriptions that run another version, and whose turn it is not yet. */
  readonly waiting = new Map<string, string[]>();

  constructor(readonly model: ModelReference) {}
}

/** Lets a version of a model reach one camera after another. It remembers nothing that a successor could not see. */
export class ModelPacer {
  private readonly looks: Repeater;
  /** Subscriptions whose turn it is, until they have been read again. */
  private turns = new Set<string>();
  private readonly underWay = new Map<string, UnderWay>();

  constructor(private readonly options: ModelPacerOptions) {
    this.looks = new Repeater({
      signal: options.signal,
      run: () => this.look(),
      onError: ({ message }) => options.logger.warn(`the rollouts of models are not looked at: ${message}`),
    });
  }

  /** The version that a subscription gets when it is read now: that which it has, until it is its turn. */
  versionOf(subscription: DesiredCameraSubscription): string | undefined {
    const target = this.options.targetOf(subscription);
    const { subscriptionIdentifier: id } = subscription;
    const before = this.options.desired().get(id)?.spec;
    const isChange =
      before !== undefined && before.modelVersion !== target && modelKey(before) === modelKey(subscription);
    if (target === undefined || !isChange || this.turns.has(id)) return target;
    this.looks.poke();
    return before.modelVersion;
  }

  /** A worker needs a file for this subscription, and the provider does not have that of its version any more. */
  cannotWait({ subscriptionIdentifier: id }: DesiredCameraSubscription): void {
    this.turns.add(id);
    this.options.onTurn({ displays: [displayOf(id)] });
  }

  /** Subscriptions may have another status. */
  passed(): void {
    if (this.underWay.size > 0) this.looks.poke();
  }

  /** Resolves when all cameras whose turn it is have been chosen. */
  async look(): Promise<void> {
    this.looks.rest(BETWEEN_LOOKS);
    const { desired, onTurn, targetOf, tracked, wallNow } = this.options;
    const [entries, states, now] = [desired(), tracked(), wallNow()];
    const models = new Map<string, ModelCameras>();
    const stillWaiting = new Set<string>();
    const see = ([id, entry]: [string, DesiredEntry]) => {
      const { cameraId, redacted, spec } = entry;
      const version = redacted === true || !leavesFileToProvider(spec) ? undefined : targetOf(spec);
      if (version === undefined) return;
      const { cameras, waiting } = getOrInsertComputed(models, modelKey(spec), () => new ModelCameras(spec));
      let step = versionStep(entry, version, states.get(id), now);
      if (hasOtherVersion(step)) {
        stillWaiting.add(id);
        if (this.turns.has(id)) step = 'replacing';
        else getOrInsertComputed(waiting, cameraId, () => []).push(id);
      }
      const before = cameras.get(cameraId)?.step ?? 'ready';
      cameras.set(cameraId, { cameraId, version, step: lessFar(before, step) });
    };
    await runInSlices(inChunks(entries, see));
    const chosen: string[] = [];
    for (const [key, { cameras, model, waiting }] of models) {
      const pace = modelPace([...cameras.values()], this.underWay.get(key)?.version);
      if (pace === null) this.underWay.delete(key);
      else this.note(key, model, pace);
      for (const cameraId of pace?.next ?? []) chosen.push(...waiting.get(cameraId)!);
    }
    for (const key of this.underWay.keys()) if (!models.has(key)) this.underWay.delete(key);
    const unread = [...this.turns].filter((id) => stillWaiting.has(id));
    this.turns = new Set([...unread, ...chosen]);
    if (chosen.length > 0) onTurn({ displays: [...new Set(chosen.map(displayOf))] });
  }

  private note(key: string, { modelId, modelName }: ModelReference, pace: ModelPace): void {
    const { journal, logger } = this.options;
    const { cameras, failed, isDone, isPaused, ready, version } = pace;
    const before = this.underWay.get(key);
    const announced = before?.version === version ? before.pausedAt : null;
    // A camera that is tried by another worker, and fails again, is no news.
    const isNews = isPaused && (announced === null || ready > announced);
    if (isDone) this.underWay.delete(key);
    else this.underWay.set(key, { version, pausedAt: isNews ? ready : announced });
    if (!isDone && !isNews) return;
    const step = isDone ? 'done' : 'paused';
    journal.add({ type: 'model-rollout', step, modelId, modelName, version, cameras, ready, failed });
    const progress = `${ready} of ${cameras} cameras run version ${version} of model ${modelId} (${modelName})`;
    if (isDone) logger.log(`${progress}; none waits for it`);
    else logger.warn(`${progress}; ${failed} cannot load it, so no further camera gets it`);
  }
}
