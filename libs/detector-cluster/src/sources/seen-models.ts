import { getOrInsertComputed } from '@detector-cluster/election/internal';
import { inChunks } from '@detector-cluster/placement/internal';
import { isEntry, leavesFileToProvider } from './checked-subscription.js';
import type { DesiredState } from './desired-state-source.js';
import type { ModelReference } from './model-url-provider.js';

/** The models of a read, each of them once. */
export class SeenModels {
  private readonly names = new Map<number, Set<string>>();

  /** Those that no page before had. Pages may have entries of any kind. */
  *newIn({ subscriptions }: DesiredState): Generator<void, ModelReference[]> {
    const found: ModelReference[] = [];
    yield* inChunks(subscriptions as readonly unknown[], (entry) => {
      if (!isEntry(entry) || !leavesFileToProvider(entry)) return;
      const { modelId, modelName } = entry;
      const names = getOrInsertComputed(this.names, modelId, () => new Set<string>());
      if (names.has(modelName)) return;
      names.add(modelName);
      found.push({ modelId, modelName });
    });
    return found;
  }
}
