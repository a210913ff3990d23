/** Ascending numbers as text, with consecutive ones as a range: `0–4, 7`. */
export function formatRanges(numbers: readonly number[]): string {
  const ranges: { readonly first: number; last: number }[] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range?.last === number - 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`)).join(', ');
}
