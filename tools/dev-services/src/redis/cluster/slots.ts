import { isAlive } from '../../guard/process-state.js';
import type { RedisService } from '../redis-service.js';
import { withRedis } from '../with-redis.js';

/** The slot of a key, or of its hash tag if it has one. */
export async function slotOf(nodes: readonly RedisService[], key: string): Promise<number> {
  const node = nodes.find(({ pid }) => isAlive(pid));
  if (!node) throw new Error('no node of the cluster runs');
  return withRedis(node, async (redis) => Number(await redis.call('CLUSTER', 'KEYSLOT', key)));
}

/** The master that itself claims to serve a slot. */
export async function ownerOfSlot(nodes: readonly RedisService[], slot: number): Promise<RedisService> {
  for (const node of nodes.filter(({ pid }) => isAlive(pid))) {
    const serves = await withRedis(node, async (redis) => {
      const lines = String(await redis.cluster('NODES')).split('\n');
      const mine = lines.find((line) => line.includes('myself'))?.split(' ') ?? [];
      return mine[2]!.includes('master') && mine.slice(8).some((range) => contains(range, slot));
    }).catch(() => false);
    if (serves) return node;
  }
  throw new Error(`no node serves slot ${slot}`);
}

/** Moves a slot and its keys like `redis-cli --cluster reshard`. */
export async function moveSlot(
  nodes: readonly RedisService[],
  slot: number,
  to: RedisService,
): Promise<void> {
  const from = await ownerOfSlot(nodes, slot);
  if (from === to) return;
  const [source, target] = [await idOf(from), await idOf(to)];
  await withRedis(to, (redis) => redis.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', source));
  await withRedis(from, async (redis) => {
    await redis.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', target);
    for (;;) {
      const keys = (await redis.call('CLUSTER', 'GETKEYSINSLOT', slot, 100)) as string[];
      if (keys.length === 0) break;
      await redis.call('MIGRATE', to.host, to.port, '', 0, 5_000, 'REPLACE', 'KEYS', ...keys);
    }
  });
  // The new owner comes first, so that it accepts the keys from the old one.
  const masters = [to, from, ...nodes.filter((node) => node !== to && node !== from)];
  for (const node of masters)
    await withRedis(node, (redis) => redis.call('CLUSTER', 'SETSLOT', slot, 'NODE', target)).catch(
      (error: Error) => {
        // Replicas learn the change from their masters.
        if (!/only with masters/i.test(error.message)) throw error;
      },
    );
}

const idOf = (node: RedisService) =>
  withRedis(node, async (redis) => String(await redis.call('CLUSTER', 'MYID')));

function contains(range: string, slot: number): boolean {
  if (range.startsWith('[')) return false;
  const [first, last = first] = range.split('-').map(Number);
  return first! <= slot && slot <= last!;
}
