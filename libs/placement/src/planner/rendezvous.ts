/** 32-bit hash of a string: FNV-1a over its UTF-16 code units, then {@link mix}. Stable over processes and versions. */
export function hashString(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mix(hash);
}

/** The finaliser of MurmurHash3: every input bit changes about half of the output bits. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * Rendezvous (highest random weight) rank of a worker for a unit, from hashes made by {@link hashString}. Among otherwise
 * equal workers the highest rank gets the unit: every process decides alike, and units spread evenly.
 */
export function rendezvousRank(unitHash: number, workerHash: number): number {
  return mix(unitHash ^ Math.imul(workerHash, 0x9e3779b1));
}
