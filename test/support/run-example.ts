import { readFile } from 'node:fs/promises';
import ts from 'typescript';

/**
 * Runs the first block of TypeScript in a document.
 * @param modules what the block imports, by specifier
 * @returns the lines that it logs
 */
export async function runExample(
  document: URL,
  modules: Readonly<Record<string, object>>,
): Promise<string[]> {
  const [, block] = /^```ts\n(.*?)^```/ms.exec(await readFile(document, 'utf8')) ?? [];
  if (block === undefined) throw new Error(`${document.pathname} has no block of ts`);
  const { outputText } = ts.transpileModule(block, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  });
  const program = outputText.replace(
    /^import (\{[^}]*\}) from '([^']+)';$/gm,
    (_, names: string, specifier: string) =>
      `const ${names.replaceAll(' as ', ': ')} = modules['${specifier}'];`,
  );
  const lines: string[] = [];
  const console = { log: (...values: unknown[]) => void lines.push(values.join(' ')) };
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as FunctionConstructor;
  await (AsyncFunction('modules', 'console', program) as (...args: unknown[]) => Promise<void>)(
    modules,
    console,
  );
  return lines;
}
