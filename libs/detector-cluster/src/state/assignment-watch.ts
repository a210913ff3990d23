import type { SharedSubscriber } from '@detector-cluster/election/redis';
import { z } from 'zod';
import type { ClusterKeys } from '../redis/cluster-keys.js';

/** Which process owns which partition, as the master has published it on `worker:assignments:changed`. */
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
 * Hears of new owners of partitions, for applications. Delivery does not depend on it: a process owns what the owner records say.
 * Returns a function that stops it.
 */
export function watchAssignments(
  subscriber: Pick<SharedSubscriber, 'listen'>,
  { assignmentsChanged }: Pick<ClusterKeys, 'assignmentsChanged'>,
  onUpdate: (update: AssignmentsUpdate) => void,
): () => void {
  return subscriber.listen({
    [assignmentsChanged]: (text) => {
      const update = parse(text);
      if (update !== null) onUpdate(update);
    },
  });
}

/** Null for a message of another program. */
function parse(text: string): AssignmentsUpdate | null {
  try {
    const { assignments, timestamp } = message.parse(JSON.parse(text));
    return { assignments, timestamp };
  } catch {
    return null;
  }
}
