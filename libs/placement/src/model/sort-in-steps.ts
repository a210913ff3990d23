/** How many items are sorted, and merged, without a pause. */
const AT_ONCE = 1_000;

type Compare<T> = (a: T, b: T) => number;

/** Compares by a text of each item, in the order of UTF-16 code units. */
export const byText =
  <T>(textOf: (item: T) => string): Compare<T> =>
  (a, b) => {
    const [textA, textB] = [textOf(a), textOf(b)];
    return textA < textB ? -1 : textA > textB ? 1 : 0;
  };

/** As {@link sortInSteps}, by a text of each item. */
export const sortByText = <T>(items: readonly T[], textOf: (item: T) => string): Generator<void, T[]> =>
  sortInSteps(items, byText(textOf));

/**
 * Sorts into a new array. Equal items keep their order. A merge sort from the bottom up (Knuth, The Art of Computer Programming 3,
 * 5.2.4), because it can be interrupted: yields where it may be.
 */
export function* sortInSteps<T>(items: readonly T[], compare: Compare<T>): Generator<void, T[]> {
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    runs.push(items.slice(start, start + AT_ONCE).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2)
      merged.push(i + 1 < runs.length ? yield* merge(runs[i]!, runs[i + 1]!, compare) : runs[i]!);
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(left: readonly T[], right: readonly T[], compare: Compare<T>): Generator<void, T[]> {
  const merged: T[] = [];
  for (let l = 0, r = 0; l < left.length || r < right.length;) {
    const takeLeft = r === right.length || (l < left.length && compare(left[l]!, right[r]!) <= 0);
    merged.push(takeLeft ? left[l++]! : right[r++]!);
    if (merged.length % AT_ONCE === 0) yield;
  }
  return merged;
}
