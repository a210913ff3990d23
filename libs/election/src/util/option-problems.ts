import { nearestName } from './nearest-name.js';

/** One sentence for each property that is no option: `keyprefix is not an option; did you mean keyPrefix?`. */
export function unknownOptions(
  given: unknown,
  names: readonly string[],
  { path = '', separator = ' ' } = {},
): string[] {
  if (typeof given !== 'object' || given === null) return [];
  return Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => `${path}${name}${separator}is not an option${nearestName(name, names)}`);
}

const failing = new WeakMap<object, Error[]>();

/**
 * Throws the error, with the messages of those that other modules of the application report in the same turn.
 * @param application the same object for all modules of an application
 */
export async function failTogether(application: object, error: Error): Promise<never> {
  const errors = failing.get(application) ?? [];
  failing.set(application, [...errors, error]);
  await new Promise((resolve) => void setImmediate(resolve));
  const all = failing.get(application)!;
  const [first] = all;
  if (error === first) error.message = all.map(({ message }) => message).join('\n');
  throw first!;
}
