import { describe, expect, it } from 'vitest';
import { checkedHints, type PlacementHintsOf } from './placement-hints.js';

const subscription = {
  subscriptionIdentifier: 'd;c',
  rtspUrl: 'rtsp://x',
  modelId: 1,
  modelName: 'cars',
  createdAt: '',
};

const throwing = () => {
  throw new Error('boom');
};

describe('checkedHints', () => {
  it.each([
    [null, {}],
    [() => undefined, {}],
    [() => ({}), {}],
    [
      () => ({
        cost: 2.5,
        priority: -1,
        selector: { zone: 'a' },
        preferred: [{ gpu: 'b' }],
        exclusive: true,
      }),
      null,
    ],
  ] as [PlacementHintsOf | null, object | null][])('takes %p', (of, expected) => {
    const { hints, problems } = checkedHints(of, subscription);
    expect(hints).toEqual(expected ?? of!(subscription));
    expect(problems).toEqual([]);
  });

  it.each([
    ['cost', 0],
    ['cost', Number.NaN],
    ['priority', 'high'],
    ['selector', ['a']],
    ['selector', { zone: 1 }],
    ['preferred', { zone: 'a' }],
    ['preferred', [{ zone: 'a' }, 'b']],
    ['exclusive', 'yes'],
  ])('leaves out a %s of %p and says so', (name, value) => {
    const { hints, problems } = checkedHints(() => ({ priority: 3, [name]: value }), subscription);
    expect(hints).toEqual(name === 'priority' ? {} : { priority: 3 });
    expect(problems).toEqual([expect.stringContaining(`placement.${name}: must be`)]);
  });

  it('survives a function that throws or returns nonsense', () => {
    expect(checkedHints(throwing, subscription).problems).toEqual(['placement: threw boom']);
    expect(checkedHints(() => 7 as never, subscription).problems).toEqual([
      'placement: must return an object',
    ]);
  });
});
