/**
 * The partition of a subscription: the 32-bit FNV-1a hash of its identifier's UTF-16 units, finished as in MurmurHash3, modulo
 * the number of partitions. Every version of the library must compute the same.
 */
export function partitionOf(subscriptionIdentifier: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < subscriptionIdentifier.length; i++)
    hash = Math.imul(hash ^ subscriptionIdentifier.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % partitions;
}
