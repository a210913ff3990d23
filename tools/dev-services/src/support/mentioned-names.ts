import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A source file, as an import or the address of a child process names it. */
const SOURCE = /['"`](\.{1,2}\/[^'"`\n]+\.m?[jt]s)['"`]/g;

/** Which of the names occur in source files, or in files that these name by a relative path, directly or not. */
export function mentionedNames(files: readonly string[], names: readonly string[]): Set<string> {
  const found = new Set<string>();
  // The loop also visits what it adds.
  const reached = new Set(files);
  for (const file of reached) {
    const text = readFileSync(file, 'utf8');
    for (const name of names) if (text.includes(name)) found.add(name);
    for (const [, path] of text.matchAll(SOURCE)) {
      const target = join(dirname(file), path!);
      const source = [target.replace(/\.js$/, '.ts'), target].find((each) => existsSync(each));
      if (source !== undefined) reached.add(source);
    }
  }
  return found;
}
