import { dirname, join } from 'node:path';
import ts from 'typescript';
import type { CodeBlock } from './parse-markdown.js';
import type { EntryPoint } from './read-entry-points.js';
import type { Problem } from './problem.js';

/** Marks the place of the block in a context. */
const PLACE = '/* block */';

/** A block as a file that can be compiled. */
interface Compilable {
  readonly text: string;
  /** Number of lines before the block. */
  readonly offset: number;
}

/**
 * Inserts a block into its context, and makes a module of it.
 * @param context Text of the context; default: only the block.
 * @throws Error if the context has no place for it.
 */
function applyContext({ text }: CodeBlock, context: string | undefined): Compilable {
  const [before, after, ...more] = (context ?? `${PLACE}\n`).split(PLACE);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`a context has one place, ${PLACE}, for the block`);
  return {
    text: `${before}\n${text}${after}\nexport {};\n`,
    offset: before.split('\n').length,
  };
}

/** Parsed files of the disk. All programs have the same options, so they share them. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** A compiler host that parses each file once for all programs. */
function compilerHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    getSourceFile: (path, ...rest) => {
      if (!parsed.has(path)) parsed.set(path, host.getSourceFile(path, ...rest));
      return parsed.get(path);
    },
  };
}

/** A compiler host that also has `files`, by their absolute paths. */
function overlayHost(options: ts.CompilerOptions, files: ReadonlyMap<string, string>): ts.CompilerHost {
  const host = compilerHost(options);
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
function compilerOptions(root: string): ts.CompilerOptions {
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
