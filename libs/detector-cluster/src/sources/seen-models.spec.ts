import { describe, expect, it } from 'vitest';
import { SeenModels } from './seen-models.js';

const model = { modelId: 7, modelName: 'cars' };

describe('SeenModels', () => {
  it('names each model once, and passes over entries that are none or have a URL', () => {
    const seen = new SeenModels();
    const newIn = (...subscriptions: unknown[]) => {
      const steps = seen.newIn({ subscriptions: subscriptions as never, skipped: [] });
      return steps.next().value;
    };
    const other = { modelId: 7, modelName: 'trucks' };
    expect(
      newIn(model, { ...model, subscriptionIdentifier: 'd;c' }, null, 5, { modelId: 1n }, other),
    ).toEqual([model, other]);
    expect(newIn(model, { modelId: 8, modelName: 'x', modelUrl: 'http://m' })).toEqual([]);
  });
});
