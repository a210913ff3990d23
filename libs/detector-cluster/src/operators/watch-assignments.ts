import type { SharedSubscriber } from '@detector-cluster/election/redis';
import { z } from 'zod';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import { readJson } from '../shared/read-json.js';

/** The owners of the partitions, as published by the master on `worker:assignments:changed`. */
export interface AssignmentsUpdate {
  /** Partition → slave id. */
  readonly assignments: Readonly<Record<string, string>>;
  /** ISO 8601, by the clock of the master. */
  readonly timestamp: string;
}

const message = z.object({
  type: z.literal('assignments_updated'),
  assignments: z.record(z.string(), z.string()),
  timestamp: z.string(),
});

/**
 * Notifies applications of new partition owners. Delivery does not depend on it, because the owner records decide ownership.
 * Returns a function that stops it.
 */
export function watchAssignments(
  subscriber: Pick<SharedSubscriber, 'listen'>,
  { assignmentsChanged }: Pick<ClusterKeys, 'assignmentsChanged'>,
  onUpdate: (update: AssignmentsUpdate) => void,
): () => void {
  return subscriber.listen({
    [assignmentsChanged]: (text) => {
      // Another program may have sent it.
      const update = readJson(message, text);
      if (update !== null) onUpdate({ assignments: update.assignments, timestamp: update.timestamp });
    },
  });
}
