/** Returns up to `count` of the items. Each subset is equally likely. Does not change `items`. */
export function pickRandom<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  const rest = [...items];
  const chosen = Math.min(count, rest.length);
  for (let i = 0; i < chosen; i++) {
    const j = i + Math.floor(random() * (rest.length - i));
    [rest[i], rest[j]] = [rest[j]!, rest[i]!];
  }
  return rest.slice(0, chosen);
}
