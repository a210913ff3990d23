import ts from 'typescript';
import type { Manifest } from './read-kustomization.js';

const PACKAGE = 'kubernetes-models';
const FILE = new URL('manifests-to-check.ts', import.meta.url).pathname;

/**
 * Fields that the Kubernetes API would reject in these objects because they are missing, unknown, or of another type. The schema
 * is in the form of TypeScript types, which detect unknown fields; a JSON schema from the same source does not.
 */
export function schemaProblems(manifests: readonly Manifest[]): string[] {
  const source = manifests
    .map(({ apiVersion, kind }, i) => {
      const path = apiVersion.includes('/') ? apiVersion : apiVersion.toLowerCase();
      const value = JSON.stringify(manifests[i], null, 1);
      return `import type { I${kind} as T${i} } from '${PACKAGE}/${path}';\nexport const v${i}: T${i} = ${value};\n`;
    })
    .join('');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === FILE || fileExists(name);
  host.getSourceFile = (name, language) =>
    name === FILE ? ts.createSourceFile(name, source, language) : getSourceFile(name, language);
  const program = ts.createProgram([FILE], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
