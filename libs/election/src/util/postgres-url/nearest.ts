/** The most similar name, ignoring case; null if none resembles the text. */
export function nearest(text: string, names: readonly string[]): string | null {
  const allowed = Math.max(1, Math.floor(text.length / 3));
  let found: { name: string; distance: number } | null = null;
  for (const name of names) {
    const distance = editDistance(text.toLowerCase(), name.toLowerCase());
    if (distance <= allowed && distance < (found?.distance ?? Infinity)) found = { name, distance };
  }
  return found?.name ?? null;
}

/** How many letters must be added, removed or replaced. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[to.length]!;
}
