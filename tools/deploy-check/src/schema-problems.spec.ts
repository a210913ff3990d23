import { describe, expect, it } from 'vitest';
import { type Manifest, readKustomization } from './read-kustomization.js';
import { schemaProblems } from './schema-problems.js';

const TIMEOUT = 120_000;

describe('the manifests for Kubernetes', () => {
  it(
    'are of its schema',
    () => {
      const { manifests } = readKustomization('example');
      expect(manifests.map(({ kind }) => kind).sort()).toEqual(
        [
          ['Deployment', 'Job', 'PodDisruptionBudget', 'Secret', 'Service', 'Service', 'StatefulSet'],
          Array.from({ length: 5 }, () => 'NetworkPolicy'),
        ]
          .flat()
          .sort(),
      );
      expect(schemaProblems(manifests)).toEqual([]);
    },
    TIMEOUT,
  );

  it(
    'would not be with a field that is unknown, missing, or of another type',
    () => {
      const metadata = { name: 'a' };
      const spec = { selector: {}, template: { spec: { containers: [{ name: 'a' }] } } };
      const good = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec } as Manifest;
      expect(schemaProblems([good])).toEqual([]);
      expect(schemaProblems([{ ...good, spec: { ...spec, replica: 3 } } as Manifest])).toEqual([
        expect.stringMatching(/replica"?' does not exist/),
      ]);
      expect(schemaProblems([{ ...good, spec: { selector: {} } } as unknown as Manifest])).toEqual([
        expect.stringMatching(/template"?' is missing/),
      ]);
      expect(schemaProblems([{ ...good, spec: { ...spec, replicas: '3' } } as Manifest])).toEqual([
        expect.stringMatching(/'string' is not assignable to type 'number'/),
      ]);
    },
    TIMEOUT,
  );
});
