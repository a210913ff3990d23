/** The value of the key; computed and stored when there is none. `Map.prototype.getOrInsertComputed` of a later ECMAScript. */
export function getOrInsertComputed<K, V>(map: Map<K, V>, key: K, compute: (key: K) => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = compute(key);
  map.set(key, made);
  return made;
}
