/**
 * `'8'`: the server can expire single fields of a hash (`HSETEX`): Redis from 8.0, Valkey from 9.0. `'7'`: Redis 6.2 to
 * 7.4, Valkey 7.2 to 8, which cannot.
 */
export type RedisGeneration = '7' | '8';

/** Product and version from the output of `redis-server --version`; `null` for any other output. */
export function parseRedisVersion(
  text: string,
): { product: 'redis' | 'valkey'; version: string; generation: RedisGeneration | null } | null {
  const match = /^(Redis|Valkey) server v=(\d+)\.(\d+)([.\w-]*)/im.exec(text);
  if (!match) return null;
  const product = match[1]!.toLowerCase() as 'redis' | 'valkey';
  const [major, minor] = [Number(match[2]), Number(match[3])];
  const tooOld = major < 6 || (major === 6 && minor < 2);
  const newest = major >= (product === 'redis' ? 8 : 9);
  return {
    product,
    version: `${major}.${minor}${match[4]}`,
    generation: tooOld ? null : newest ? '8' : '7',
  };
}
