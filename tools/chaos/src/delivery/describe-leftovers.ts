import { Redis } from 'ioredis';
import type { Stage } from '../support/stage.js';

const LOG_TAIL = 2_000;

/** For people who look for what became of detections: what is left in Redis, and what the backends said last. */
export async function describeLeftovers({ cluster }: Stage): Promise<string> {
  const redis = new Redis(cluster.redis.url);
  redis.on('error', () => undefined);
  try {
    const streams = await redis.keys(`${cluster.keyPrefix}worker:slave:*`);
    const lines = await Promise.all(
      streams.map(async (stream) => {
        const [length, groups] = await Promise.all([redis.xlen(stream), redis.xinfo('GROUPS', stream)]);
        return `${stream}: ${length} entries, groups ${JSON.stringify(groups)}`;
      }),
    );
    const state = await cluster.state();
    const logs = await Promise.all(
      cluster.backends.map(
        async (backend) => `--- ${backend.name}\n${(await backend.log()).slice(-LOG_TAIL)}`,
      ),
    );
    return [...lines, JSON.stringify({ assignments: state.assignments, slaves: state.slaves }), ...logs].join(
      '\n',
    );
  } finally {
    redis.disconnect();
  }
}
