import { join } from 'node:path';
import ts from 'typescript';
import type { EntryPoint } from '../markdown/read-entry-points.js';
import { compilerHost, compilerOptions } from '../typescript/compile-blocks.js';

/** The exported names of each entry point, sorted. */
export function publicNames(root: string, entries: readonly EntryPoint[]): Record<string, string[]> {
  const paths = entries.map(({ source }) => join(root, source));
  const options = compilerOptions(root);
  const program = ts.createProgram(paths, options, compilerHost(options));
  const checker = program.getTypeChecker();
  return Object.fromEntries(
    entries.map(({ name, source }) => {
      const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, source))!)!;
      const exported = checker.getExportsOfModule(module).map((symbol) => symbol.name);
      return [name, exported.sort()];
    }),
  );
}
