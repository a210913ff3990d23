import { DetectorCluster, type ChangePreview } from '@detector-cluster/detector-cluster';
import { toError } from '@detector-cluster/election/internal';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { DesiredDifference } from './desired-difference.js';
import type { Impact } from './entries.schema.js';

/** How many displays without a subscription the answer names. */
const SKIPPED_LISTED = 20;

type PerWorker = Impact['starts'];

/** Asks the master how a change of the desired state would affect the workers. */
@Injectable()
export class ImpactForecast {
  constructor(private readonly modules: ModuleRef) {}

  /** Never rejects. Without the master, the answer has the numbers, but not the workers, and the reason. */
  async of(difference: DesiredDifference): Promise<Impact> {
    const { added, changed, removed } = difference;
    if (added.length + changed.length + removed.length === 0)
      return toImpact(difference, { placements: [], others: [], omitted: 0 }, null);
    try {
      const cluster = this.modules.get(DetectorCluster, { strict: false });
      // No URLs: they may hold credentials, and the plan does not depend on them.
      const placed = [...added, ...changed].map(({ subscriptionIdentifier, modelId, modelName }) => ({
        subscriptionIdentifier,
        modelId,
        modelName,
      }));
      return toImpact(difference, await cluster.previewChange({ added: placed, removed }), null);
    } catch (error) {
      const detail = toError(error).message;
      return toImpact(difference, { placements: [], others: [], omitted: 0 }, detail);
    }
  }
}

function toImpact(
  { added, changed, removed, skipped, complete }: DesiredDifference,
  { placements, others, omitted }: Pick<ChangePreview, 'placements' | 'others' | 'omitted'>,
  problem: string | null,
): Impact {
  const places = new Map(placements.map((place) => [place.subscriptionIdentifier, place]));
  const target = ({ subscriptionIdentifier: id }: DesiredDifference['added'][number]) =>
    places.get(id)?.to ?? null;
  return {
    starts: perWorker(added.map(target)),
    restarts: perWorker(changed.map(target)),
    stops: perWorker(removed.map((id) => places.get(id)?.from ?? null)),
    otherSteps: others.length + omitted,
    skipped: skipped.slice(0, SKIPPED_LISTED).map(({ displayId, reason, detail }) => ({
      displayId,
      reason,
      detail,
    })),
    skippedTotal: skipped.length,
    complete,
    problem,
  };
}

/** Counts per worker, the highest first. */
function perWorker(urls: readonly (string | null)[]): PerWorker {
  const counts = new Map<string | null, number>();
  for (const url of urls) counts.set(url, (counts.get(url) ?? 0) + 1);
  return [...counts]
    .map(([workerUrl, subscriptions]) => ({ workerUrl, subscriptions }))
    .sort(
      (a, b) => b.subscriptions - a.subscriptions || ((a.workerUrl ?? '') < (b.workerUrl ?? '') ? -1 : 1),
    );
}
