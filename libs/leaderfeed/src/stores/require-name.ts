/** Throws a `TypeError` unless a start option is a name. */
export function requireName(option: string, value: unknown): asserts value is string {
  if (typeof value !== 'string' || value === '')
    throw new TypeError(
      `start: ${option} must be a name, for example { ${option}: 'leaderfeed' }, not ${JSON.stringify(value)}`,
    );
}
