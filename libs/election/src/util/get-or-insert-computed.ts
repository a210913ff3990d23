/** The value of the key; computed and stored when there is none. As `getOrInsertComputed` of `Map` and `WeakMap` in a later ECMAScript. */
export function getOrInsertComputed<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  compute: (key: K) => V,
): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = compute(key);
  map.set(key, made);
  return made;
}
