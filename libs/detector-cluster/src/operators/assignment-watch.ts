import type { SharedSubscriber } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { FencedStore } from '@detector-cluster/election/fence';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import { HashMirror } from '../shared/hash-mirror.js';

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

/** Writes which process owns which partition, and has every process read the owner records. */
export class AssignmentPublisher {
  private readonly mirror: HashMirror;

  constructor(
    store: FencedStore,
    private readonly redis: Redis,
    private readonly keys: ClusterKeys,
  ) {
    this.mirror = new HashMirror(store, keys.assignments);
  }

  async publish(assignments: Readonly<Record<string, string>>, changed: boolean): Promise<void> {
    // Always compared: a predecessor, another program or a Redis that lost data may have left others.
    this.mirror.invalidate();
    await this.mirror.sync(new Map(Object.entries(assignments)));
    if (!changed) return;
    await this.redis.publish(this.keys.partitionsChanged, 'granted');
    const message = { type: 'assignments_updated', assignments, timestamp: new Date().toISOString() };
    await this.redis.publish(this.keys.assignmentsChanged, JSON.stringify(message));
  }
}
