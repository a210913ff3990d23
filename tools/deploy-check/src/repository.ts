import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Absolute path of a file of this repository. */
export function pathOf(...path: string[]): string {
  return join(root, ...path);
}

export function readText(...path: string[]): string {
  return readFileSync(pathOf(...path), 'utf8');
}

export function readYaml<T>(...path: string[]): T {
  return parse(readText(...path), { merge: true }) as T;
}

/** Every document of a file; empty ones are left out. Throws where one is not YAML. */
export function readYamlDocuments<T>(...path: string[]): T[] {
  return parseAllDocuments(readText(...path)).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0]!;
    const value: unknown = document.toJS();
    return value === null ? [] : [value as T];
  });
}

export function fileNames(...path: string[]): string[] {
  return readdirSync(pathOf(...path), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
}
