import { join } from 'node:path';
import ts from 'typescript';
import type { CodeBlock } from '../markdown/markdown-document.js';
import type { Problem } from '../problem.js';
import { applyContext, type Compilable } from './apply-context.js';
import { overlayHost } from './overlay-host.js';

export interface CompileOptions {
  /** Root of the repository. Blocks import packages like its own sources, with the same strictness. */
  readonly root: string;
  /** Texts of contexts by their names. */
  readonly contexts: ReadonlyMap<string, string>;
  /** Files outside of the blocks, which blocks may import by a relative path: import path → path from the root. */
  readonly stand: Readonly<Record<string, string>>;
}

/** Virtual folder of the blocks. */
const FOLDER = 'tools/docs-check/blocks';

/** Compiles all blocks at once against the sources of the libraries. Returns the errors by line of the document. */
export function compileBlocks(blocks: readonly CodeBlock[], options: CompileOptions): Problem[] {
  const problems: Problem[] = [];
  const files = new Map<string, { block: CodeBlock; compilable: Compilable }>();
  for (const block of blocks) {
    const context = block.context === undefined ? undefined : options.contexts.get(block.context);
    if (block.context !== undefined && context === undefined)
      problems.push(toProblem(block, 0, `there is no context "${block.context}"`));
    else files.set(pathOf(block, options.root), { block, compilable: applyContext(block, context) });
  }
  const { program, diagnosticsOf } = compile(
    new Map([...files].map(([path, { compilable }]) => [path, compilable.text])),
    options,
  );
  for (const [path, { block, compilable }] of files) {
    const source = program.getSourceFile(path)!;
    for (const { start = 0, messageText } of diagnosticsOf(source)) {
      const { line } = source.getLineAndCharacterOfPosition(start);
      problems.push(
        toProblem(block, line - compilable.offset, ts.flattenDiagnosticMessageText(messageText, '\n  ')),
      );
    }
  }
  return problems;
}

function compile(texts: ReadonlyMap<string, string>, { root, stand }: CompileOptions) {
  const options = compilerOptions(root);
  const folders = new Set([...texts.keys()].map((path) => path.slice(0, path.lastIndexOf('/'))));
  const stands = [...folders].flatMap((folder) =>
    Object.entries(stand).map(([path, target]): [string, string] => [
      join(folder, path),
      `export * from ${JSON.stringify(join(root, target))};\n`,
    ]),
  );
  const host = overlayHost(options, new Map([...stands, ...texts]));
  const program = ts.createProgram([...texts.keys()], options, host);
  const diagnosticsOf = (source: ts.SourceFile) => [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ];
  return { program, diagnosticsOf };
}

/** The options of the sources that also matter to their users. */
export function compilerOptions(root: string): ts.CompilerOptions {
  const { config, error } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile);
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'));
  const { options } = ts.convertCompilerOptionsFromJson(
    (config as { compilerOptions: object }).compilerOptions,
    root,
  );
  return {
    ...options,
    composite: false,
    declaration: false,
    declarationMap: false,
    noEmit: true,
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
}

function pathOf({ document, line, file }: CodeBlock, root: string): string {
  return join(root, FOLDER, document, file ?? `line-${line}.ts`);
}

function toProblem({ document, line }: CodeBlock, offset: number, message: string): Problem {
  return { document, line: line + Math.max(0, offset), message };
}
