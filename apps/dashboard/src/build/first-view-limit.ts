import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Gzipped size of the code that the browser has to load and run before it shows anything. Bytes. */
export const FIRST_VIEW_LIMIT = 150_000;

/** The parts of a bundler's chunk that are used here. */
export interface ScriptChunk {
  readonly type: 'chunk';
  readonly code: string;
  readonly isEntry: boolean;
  /** File names of its static imports, without the dynamic ones. */
  readonly imports: readonly string[];
}

/** By file name. */
export type Bundle = Readonly<Record<string, ScriptChunk | { readonly type: 'asset' }>>;

/** Fails the build if the first view exceeds its limit. */
export function firstViewLimit(limit = FIRST_VIEW_LIMIT): Plugin {
  return {
    name: 'first-view-limit',
    apply: 'build',
    writeBundle(_options, bundle) {
      const bytes = firstViewBytes(bundle as Bundle);
      if (bytes > limit)
        this.error(`the first view loads ${bytes} bytes of gzipped script, ${limit} are allowed`);
    },
  };
}

/** Gzipped size of the entries' scripts and their static imports. Each file is compressed separately, as it is sent. */
export function firstViewBytes(bundle: Bundle): number {
  const wanted = Object.keys(bundle).filter((name) => {
    const file = bundle[name];
    return file?.type === 'chunk' && file.isEntry;
  });
  const seen = new Set<string>();
  let bytes = 0;
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const file = bundle[name];
    if (seen.has(name) || file?.type !== 'chunk') continue;
    seen.add(name);
    bytes += gzipSync(file.code).length;
    wanted.push(...file.imports);
  }
  return bytes;
}
