import { readFileSync } from 'node:fs';

export interface WithSecrets {
  /** The variables, with the values from files. */
  readonly env: Record<string, string>;
  readonly problems: readonly string[];
  /** The name under which a variable was given, for messages about its value. */
  readonly nameOf: (variable: string) => string;
}

/**
 * Reads the values that are given as files: how Docker and Kubernetes hand over secrets. One line break at the end of a file is not part
 * of the value.
 * @param variables whose value may instead be in a file, named by `<variable>_FILE`
 */
export function withSecretFiles(
  given: Readonly<Record<string, string>>,
  variables: readonly string[],
): WithSecrets {
  const env = { ...given };
  const problems: string[] = [];
  const fromFile = new Set<string>();
  for (const variable of variables) {
    const name = `${variable}_FILE`;
    const path = given[name];
    if (path === undefined) continue;
    fromFile.add(variable);
    if (given[variable] !== undefined) problems.push(`${name}: must not be set together with ${variable}`);
    const value = readSecret(path);
    if (value instanceof Error) problems.push(`${name}: ${value.message}`);
    // A variable that could not be read must not also be reported as missing.
    env[variable] ??= value instanceof Error ? UNREADABLE : value;
  }
  return {
    env,
    problems,
    nameOf: (variable) => (fromFile.has(variable) ? `${variable}_FILE` : variable),
  };
}

/** Stands for a value that could not be read. Problems that the schema finds in it are left out. */
export const UNREADABLE = '\0unreadable';

/** The content of a file, or the reason why it cannot be read. The reason never shows the content. */
export function readSecret(path: string): string | Error {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return new Error(`cannot read ${path} (${code}); mount it and let this user read it`);
  }
  return text === '' ? new Error(`${path} is empty; write the value into it`) : text;
}
