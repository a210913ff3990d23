import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { InvalidOptionsError, resolveOptions } from './resolve-options.js';
import type { MasterElectionOptions } from './master-election-options.js';

const redis = 'redis://127.0.0.1:6379';
const problemsOf = (raw: unknown): readonly string[] => {
  try {
    resolveOptions(raw as MasterElectionOptions);
    return [];
  } catch (error) {
    return (error as InvalidOptionsError).problems;
  }
};

describe('resolveOptions', () => {
  it('fills in the defaults', () => {
    expect(resolveOptions({ redis }, () => 'uuid')).toEqual({
      name: 'default',
      redis,
      backend: undefined,
      lockName: 'master-election',
      lockTtl: 30_000,
      heartbeatInterval: 10_000,
      checkInterval: 5_000,
      crashDetection: 'presence',
      presenceLook: 250,
      presenceGrace: 500,
      presenceValidity: 400,
      confirmInterval: 100,
      handoverTimeout: 5_000,
      identifier: 'cms-backend',
      nodeId: 'cms-backend:uuid',
      namedNode: false,
      bootId: 'uuid',
      metadata: {},
      capabilities: { canProcessDetections: true, maxSubscriptions: 100, preferredWorkload: 80 },
    });
  });

  it('lets single durations override the named timing', () => {
    expect(resolveOptions({ redis, timing: 'fast', checkInterval: 250 })).toMatchObject({
      lockTtl: 3_000,
      heartbeatInterval: 1_000,
      checkInterval: 250,
    });
  });

  it('gives each start a different id', () => {
    expect(resolveOptions({ redis }).nodeId).not.toBe(resolveOptions({ redis }).nodeId);
    expect(resolveOptions({ redis, nodeId: 'a' })).toMatchObject({ nodeId: 'a', namedNode: true });
  });

  const VALUES = [5, Number.NaN, true, '', 'text', {}, [], [null], null, () => undefined];

  /** Those of these values that an option takes. */
  const TAKEN: Readonly<Record<keyof Required<MasterElectionOptions>, readonly unknown[]>> = {
    redis: ['text'],
    lockName: ['text'],
    timing: [],
    lockTtl: [null],
    heartbeatInterval: [5, null],
    checkInterval: [5, null],
    crashDetection: [],
    presenceLook: [5, null],
    presenceGrace: [null],
    presenceValidity: [null],
    confirmInterval: [5, null],
    handoverTimeout: [5],
    identifier: ['text'],
    nodeId: ['text'],
    metadata: [{}, null],
    capabilities: [{}],
    backend: [],
  };

  it.each(Object.entries(TAKEN))('refuses %s by name if it has another type', (name, taken) => {
    const accepted = VALUES.filter(
      (value) => !problemsOf({ redis, [name]: value }).some((text) => text.includes(name)),
    );
    expect(accepted).toEqual(VALUES.filter((value) => taken.some((each) => isDeepStrictEqual(each, value))));
  });

  it('reports all problems at once, by name', () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const problems = problemsOf({
      lockName: '',
      lockTtl: 1_000,
      heartbeatInterval: 900,
      checkInterval: 1_500,
      identifier: 'a;b',
      nodeId: 'line\nbreak',
      metadata: circular,
      capabilities: { maxSubscriptions: -1, preferredWorkload: 101, canProcessDetections: 'yes' },
      backend: {},
      lockTTL: 5,
    });
    const names = [
      'lockTTL',
      'redis',
      'backend',
      'lockName',
      'lockTtl',
      'checkInterval',
      'identifier',
      'nodeId',
      'metadata',
      'capabilities.canProcessDetections',
      'capabilities.maxSubscriptions',
      'capabilities.preferredWorkload',
    ];
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(names);
  });

  it.each([
    [{ lockTtl: 0 }, /^lockTtl must be a positive/],
    [{ lockTtl: '30s' }, /^lockTtl must be a positive/],
    [{ lockTtl: Infinity }, /^lockTtl must be a positive.* not Infinity/],
    [{ heartbeatInterval: Number.NaN }, /^heartbeatInterval must be a positive.* not NaN/],
    [{ checkInterval: -5 }, /^checkInterval must be a positive.* not -5/],
    [{ lockTtl: 20_000 }, /^lockTtl \(20000\) must be more than twice heartbeatInterval \(10000\)/],
    [{ lockTtl: 100, heartbeatInterval: 10, checkInterval: 10 }, /^lockTtl must be at least 200/],
    [{ handoverTimeout: -1 }, /^handoverTimeout must be a whole number .* not -1/],
    [{ timing: 'slow' }, /^timing must be 'default' or 'fast'/],
    [{ identifier: '' }, /^identifier must be a string/],
    [{ identifier: 'a\u0000' }, /^identifier must not contain/],
    [{ metadata: [] }, /^metadata must be an object/],
    [{ metadata: { big: 1n } }, /^metadata cannot be written as JSON/],
  ])('refuses %p', (options, expected) => {
    const problems = problemsOf({ redis, ...options });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(expected);
  });

  it('names all problems in its message', () => {
    expect(() => resolveOptions({ redis: '', identifier: ';' })).toThrow(InvalidOptionsError);
    expect(() => resolveOptions({ redis: '', identifier: ';' })).toThrow(/redis[^]*identifier/);
    expect(() => resolveOptions({ redis: {}, identifier: ';' })).toThrow(/redis must be a URL[^]*identifier/);
    expect(() => resolveOptions({ redis: 'amqp://host', identifier: ';' })).toThrow(/amqp[^]*identifier/);
    expect(problemsOf(null)).toEqual(['options must be an object']);
  });
});
