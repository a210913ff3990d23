// `npm run docs:api`: the reference of every public library, one module for each path that can be imported. The paths
// `/internal` are for the libraries of this repository.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Converter, ReflectionKind } from 'typedoc';

/** The source of each entry point by the path with which it is imported. */
const entries = new Map(
  readdirSync('libs').flatMap((library) => {
    const manifest = JSON.parse(readFileSync(join('libs', library, 'package.json'), 'utf8'));
    if (manifest.private) return [];
    return Object.entries(manifest.exports)
      .filter(([path, target]) => target['@detector-cluster/source'] && !/^\.\/internal(\/|$)/.test(path))
      .map(([path, target]) => [
        manifest.name + path.slice(1),
        join('libs', library, target['@detector-cluster/source']),
      ]);
  }),
);

/** Modules are called by what one imports, not by their files. */
function nameModules(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
    for (const module of context.project.getReflectionsByKind(ReflectionKind.Module)) {
      const [declaration] = context.getSymbolFromReflection(module)?.declarations ?? [];
      for (const [name, source] of entries)
        if (declaration?.getSourceFile().fileName.endsWith(source)) module.name = name;
    }
  });
}

/** @type {Partial<import('typedoc').TypeDocOptions>} */
export default {
  name: 'detector-cluster',
  entryPoints: [...entries.values()],
  tsconfig: 'tsconfig.docs.json',
  skipErrorChecking: true,
  out: 'docs/api',
  readme: 'none',
  plugin: [nameModules],
  disableSources: true,
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  validation: { invalidLink: true, rewrittenLink: true, notExported: false, notDocumented: false },
  treatWarningsAsErrors: true,
};
