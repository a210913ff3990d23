import { dirname } from 'node:path';
import ts from 'typescript';

/** A compiler host that also has `files`, by their absolute paths. */
export function overlayHost(
  options: ts.CompilerOptions,
  files: ReadonlyMap<string, string>,
): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const folders = new Set([...files.keys()].flatMap(parents));
  return {
    ...host,
    fileExists: (path) => files.has(path) || host.fileExists(path),
    readFile: (path) => files.get(path) ?? host.readFile(path),
    directoryExists: (path) => folders.has(path) || (host.directoryExists?.(path) ?? true),
    getSourceFile: (path, version, ...rest) => {
      const text = files.get(path);
      return text === undefined
        ? host.getSourceFile(path, version, ...rest)
        : ts.createSourceFile(path, text, version);
    },
  };
}

function parents(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...parents(parent)];
}
