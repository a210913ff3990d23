import type { CappedSize } from './mongo-feed-store.js';

/** Throws a `RangeError` that names all problems. */
export function cappedSize(size: CappedSize): CappedSize {
  const problems = Object.entries(size)
    .filter(
      ([, value]: [string, unknown]) =>
        value !== undefined && !(Number.isInteger(value) && Number(value) > 0),
    )
    .map(([name, value]) => `${name} must be a positive whole number, not ${String(value)}`);
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  return size;
}
