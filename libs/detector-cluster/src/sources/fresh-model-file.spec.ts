import { describe, expect, it } from 'vitest';
import type { DesiredCameraSubscription } from '@detector-cluster/placement/internal';
import { freshModelFile } from './fresh-model-file.js';
import type { ModelFile } from './model-url-provider.js';

const created = Date.parse('2026-01-01T00:00:00.000Z');
const subscription = (modelUrl?: string): DesiredCameraSubscription => ({
  subscriptionIdentifier: 'd;c',
  rtspUrl: 'rtsp://h/1',
  modelId: 7,
  modelName: 'cars',
  createdAt: new Date(created).toISOString(),
  ...(modelUrl !== undefined && { modelUrl }),
});
const filesOf = (file: () => Promise<ModelFile>) => ({
  fileOf: file,
  wantedFile: file,
});
const provider = filesOf(async () => ({ url: 'http://made/7', version: 'v2' }));
const none = filesOf(() => Promise.reject(new Error('no provider')));
const signed = 'https://s3/m?X-Amz-Signature=abc';

const urlOf = async (...given: Parameters<typeof freshModelFile>) => (await freshModelFile(...given))!.url;

describe('freshModelFile', () => {
  it('is made by the provider where none was given', async () => {
    expect(await urlOf(subscription(), provider, created)).toBe('http://made/7');
    await expect(urlOf(subscription(), none, created)).rejects.toThrow('no provider');
  });

  it('is the given one while it is fresh, and always if it has no signature', async () => {
    expect(await urlOf(subscription(signed), provider, created + 60_000)).toBe(signed);
    expect(await urlOf(subscription('http://files/m'), provider, created + 1e9)).toBe('http://files/m');
  });

  it('is a new one when the signature is more than a minute old, if there is a provider', async () => {
    expect(await urlOf(subscription(signed), provider, created + 60_001)).toBe('http://made/7');
    expect(await urlOf(subscription(signed), none, created + 60_001)).toBe(signed);
  });

  it('stays the given one when the provider names another version of the file', async () => {
    const later = created + 60_001;
    const named = (modelVersion: string) => ({ ...subscription(signed), modelVersion });
    expect(await urlOf(named('v1'), provider, later)).toBe(signed);
    expect(await urlOf(named('v2'), provider, later)).toBe('http://made/7');
  });
});
