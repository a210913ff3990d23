import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { ConfigError, readConfig } from './read-config.js';

/** The variables that have no default. */
export const required = {
  DATABASE_URL: 'postgresql://u:p@db:5432/cms',
  REDIS_URL: 'redis://redis:6379',
  MODEL_BASE_URL: 'http://models/files',
};

export const pem = (name: string) => `-----BEGIN ${name}-----`;

/** The problems of an environment; empty if it can be used. */
export function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

/** A folder for the files of the tests of a suite. */
export function secretFolder() {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'secrets-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));
  const path = (name: string) => join(directory, name);
  return {
    path,
    /** Writes a file, and returns its path. */
    write(name: string, content: string): string {
      writeFileSync(path(name), content);
      return path(name);
    },
  };
}
