/**
 * The most entries of one `Map`. A `Map` copies all its entries when it grows, which takes some 20 ms for a quarter of a million
 * strings and 100 ms for a million. More parts would block for less, but make each lookup slower.
 */
const MOST = 2 ** 18;

const NONE = Symbol('no key');

/**
 * A map that does not block the event loop for long when it grows, because it consists of several maps. Keys are in the order of
 * insertion as long as none is deleted. With up to `most` entries, it is as fast as a `Map`.
 */
export class LargeMap<K, V> implements Map<K, V> {
  readonly [Symbol.toStringTag] = 'LargeMap';
  /** The last one takes new entries. */
  private parts: Map<K, V>[] = [new Map()];
  /** Where the last key was found: callers often look up keys in the order of insertion. */
  private recent = 0;
  /** A key that is in no part: callers often look up a key and then set it. */
  private missed: K | typeof NONE = NONE;

  constructor(private readonly most = MOST) {}

  get size(): number {
    let size = 0;
    for (const part of this.parts) size += part.size;
    return size;
  }

  get(key: K): V | undefined {
    const { parts, recent } = this;
    const value = parts[recent]!.get(key);
    return value !== undefined || parts.length === 1 ? value : this.partOf(key)?.get(key);
  }

  has(key: K): boolean {
    return this.partOf(key) !== undefined;
  }

  set(key: K, value: V): this {
    const { parts } = this;
    const part = parts.length === 1 && parts[0]!.size < this.most ? parts[0]! : this.partOf(key);
    (part ?? this.partWithRoom()).set(key, value);
    this.missed = NONE;
    return this;
  }

  delete(key: K): boolean {
    return this.partOf(key)?.delete(key) ?? false;
  }

  clear(): void {
    this.parts = [new Map()];
    this.recent = 0;
    this.missed = NONE;
  }

  forEach(each: (value: V, key: K, map: Map<K, V>) => void): void {
    for (const [key, value] of this) each(value, key, this);
  }

  *entries(): Generator<[K, V], undefined> {
    for (const part of this.parts) yield* part;
  }

  *keys(): Generator<K, undefined> {
    for (const part of this.parts) yield* part.keys();
  }

  *values(): Generator<V, undefined> {
    for (const part of this.parts) yield* part.values();
  }

  [Symbol.iterator](): Generator<[K, V], undefined> {
    return this.entries();
  }

  private partOf(key: K): Map<K, V> | undefined {
    const { parts, recent } = this;
    if (key === this.missed) return undefined;
    if (parts[recent]!.has(key)) return parts[recent];
    for (let i = 0; i < parts.length; i++) {
      if (i === recent || !parts[i]!.has(key)) continue;
      this.recent = i;
      return parts[i];
    }
    this.missed = key;
    return undefined;
  }

  private partWithRoom(): Map<K, V> {
    const last = this.parts.at(-1)!;
    if (last.size < this.most) return last;
    const next = this.parts.find((part) => part.size < this.most / 2) ?? new Map<K, V>();
    this.parts = [...this.parts.filter((part) => part !== next), next];
    this.recent = this.parts.length - 1;
    return next;
  }
}
