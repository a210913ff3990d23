/** Up to `count` of the items, each set equally likely; the items stay as they are. */
export function pickRandom<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  const rest = [...items];
  const chosen = Math.min(count, rest.length);
  for (let i = 0; i < chosen; i++) {
    const j = i + Math.floor(random() * (rest.length - i));
    [rest[i], rest[j]] = [rest[j]!, rest[i]!];
  }
  return rest.slice(0, chosen);
}
