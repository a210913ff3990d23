/**
 * The last `most` items, including the new ones of `more`; the same list if there are none. After a reconnection the
 * service sends items again that the page already has.
 */
export function appendNew<T>(
  items: readonly T[],
  more: readonly T[],
  keyOf: (item: T) => string,
  most: number,
): { readonly items: readonly T[]; readonly added: number } {
  if (more.length === 0) return { items, added: 0 };
  const known = new Set(items.map(keyOf));
  const added = more.filter((item) => {
    const key = keyOf(item);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
  if (added.length === 0) return { items, added: 0 };
  return { items: [...items, ...added].slice(-most), added: added.length };
}
