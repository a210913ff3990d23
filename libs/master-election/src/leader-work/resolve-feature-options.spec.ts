import type { ElectionBackend } from '@detector-cluster/election';
import { describe, expect, it } from 'vitest';
import { InvalidOptionsError } from '../shared/resolve-options.js';
import type { MasterElectionOptions } from '../shared/master-election-options.js';
import { resolveFeatureOptions } from './resolve-feature-options.js';

const root: MasterElectionOptions = {
  redis: 'redis://127.0.0.1:6379',
  identifier: 'api',
  lockName: '{api}',
  timing: 'fast',
  checkInterval: 250,
};
const problemsOf = (...given: Parameters<typeof resolveFeatureOptions>): readonly string[] => {
  try {
    resolveFeatureOptions(...given);
    return [];
  } catch (error) {
    return (error as InvalidOptionsError).problems;
  }
};

describe('resolveFeatureOptions', () => {
  it('inherits options that are not given', () => {
    expect(resolveFeatureOptions('reports', { redis: undefined, nodeId: 'r' }, root)).toMatchObject({
      name: 'reports',
      redis: root.redis,
      identifier: 'api',
      nodeId: 'r',
      lockTtl: 3_000,
      heartbeatInterval: 1_000,
      checkInterval: 250,
    });
  });

  it('derives a lock name with the hash tag of the one of forRoot', () => {
    const lockNameOf = (options: Partial<MasterElectionOptions>, above?: MasterElectionOptions) =>
      resolveFeatureOptions('reports', { redis: root.redis, ...options }, above).lockName;
    expect(lockNameOf({}, root)).toBe('{api}:reports');
    expect(lockNameOf({}, { redis: root.redis })).toBe('master-election:reports');
    expect(lockNameOf({})).toBe('reports');
    expect(lockNameOf({ lockName: 'own' }, root)).toBe('own');
  });

  it('uses the durations of its own timing', () => {
    expect(resolveFeatureOptions('reports', { timing: 'default' }, root)).toMatchObject({
      lockTtl: 30_000,
      heartbeatInterval: 10_000,
      checkInterval: 5_000,
    });
  });

  it('does not inherit the backend', () => {
    const backend = { campaign: () => undefined } as unknown as ElectionBackend;
    expect(resolveFeatureOptions('reports', {}, { ...root, backend }).backend).toBeUndefined();
    expect(resolveFeatureOptions('reports', { backend }, root).backend).toBe(backend);
  });

  it('reports all problems at once, including those of the name', () => {
    const problems = problemsOf('', { heartbeatInterval: Number.NaN, identifier: '' });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'name',
      'redis',
      'lockName',
      'heartbeatInterval',
      'identifier',
    ]);
    expect(problemsOf('default', {}, root)).toEqual([expect.stringMatching(/^name must not be 'default'/)]);
    expect(problemsOf('a;b', {}, root)).toEqual([expect.stringMatching(/^name must not contain/)]);
    expect(problemsOf('a', null as never, root)).toEqual(['options must be an object']);
    expect(() => resolveFeatureOptions('reports', { identifier: '' }, root)).toThrow(
      /the election 'reports'/,
    );
  });
});
