import { describe, expect, it } from 'vitest';
import { StaticModelUrlProvider } from './static-model-url-provider.js';

const model = { modelId: 7, modelName: 'us plates/v2' };

describe('StaticModelUrlProvider', () => {
  it.each([
    ['http://files/models', 'http://files/models/us%20plates%2Fv2.mpta'],
    ['http://files/models//', 'http://files/models/us%20plates%2Fv2.mpta'],
    ['https://files/get?model={id}&n={name}', 'https://files/get?model=7&n=us%20plates%2Fv2'],
    ['http://{id}.files/', 'http://7.files/'],
  ])('%s', async (base, expected) => {
    await expect(new StaticModelUrlProvider(base).urlFor(model)).resolves.toBe(expected);
  });

  it.each(['ftp://files', 'files', ''])('rejects %j', (base) => {
    expect(() => new StaticModelUrlProvider(base)).toThrow(/^modelBaseUrl: /);
  });
});
