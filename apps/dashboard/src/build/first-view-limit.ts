import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Gzipped size of the code that the browser has to load and run before it shows anything: the page is one script. Bytes. */
export const FIRST_VIEW_LIMIT = 150_000;

/** Fails the build if the first view exceeds its limit. */
export function firstViewLimit(limit = FIRST_VIEW_LIMIT): Plugin {
  return {
    name: 'first-view-limit',
    apply: 'build',
    writeBundle(_options, bundle) {
      let bytes = 0;
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') bytes += gzipSync(file.code).length;
      if (bytes > limit)
        this.error(`the first view loads ${bytes} bytes of gzipped script, ${limit} are allowed`);
    },
  };
}
