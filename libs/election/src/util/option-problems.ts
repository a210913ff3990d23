import { nearestName } from './nearest-name.js';

/**
 * One sentence for each property that is no option: `keyprefix is not an option; did you mean keyPrefix?`. Also for a value that is not
 * even an object.
 * @param path of the object, with a dot at its end
 */
export function unknownOptions(
  given: unknown,
  names: readonly string[],
  { path = '', separator = ' ' } = {},
): string[] {
  if (given === undefined) return [];
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return [`${path.slice(0, -1) || 'options'}${separator}must be an object`];
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
