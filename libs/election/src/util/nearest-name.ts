/** `; did you mean x?` if one of the names is close to what was given; otherwise empty. */
export function nearestName(given: string, names: readonly string[]): string {
  const name = nearest(given, names);
  return name === null ? '' : `; did you mean ${name}?`;
}

/** The most similar name, ignoring case; null if none resembles what was given. */
export function nearest(given: string, names: readonly string[]): string | null {
  let found: string | null = null;
  let least = Math.max(1, Math.floor(given.length / 3)) + 1;
  for (const name of names) {
    const distance = distanceOf(given.toLowerCase(), name.toLowerCase());
    if (distance < least) [found, least] = [name, distance];
  }
  return found;
}

/** How many characters must be added, removed, replaced or swapped with their neighbour. */
function distanceOf(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let least = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && swapped) least = Math.min(least, beforeLast[column - 2]! + 1);
      current.push(least);
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length]!;
}
