import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApplicationCalls } from '../shared/application-calls.js';
import { ModelFiles } from './model-files.js';
import type { ModelFile, ModelReference } from './model-url-provider.js';

const TIMEOUT = 10_000;
const model = { modelId: 7, modelName: 'cars' };
const urlOf = (version: string) => `http://m/${version}`;
const file = (version: string): ModelFile => ({ url: urlOf(version), version });
const after = (ms: number, answer: string | ModelFile) => () =>
  new Promise<string | ModelFile>((resolve) => setTimeout(() => resolve(answer), ms));
const never = () => new Promise<never>(() => undefined);
const failing = () => Promise.reject(new Error('no database'));

describe('ModelFiles', () => {
  /** What the application answers. */
  let answer: (model: ModelReference) => Promise<string | ModelFile>;
  let asked: number;
  let announced: string[];
  let files: ModelFiles;

  beforeEach(() => {
    vi.useFakeTimers();
    [asked, announced] = [0, []];
    files = new ModelFiles({
      provider: {
        urlFor: (of) => {
          asked++;
          return answer(of);
        },
      },
      calls: new ApplicationCalls(),
      timeout: TIMEOUT,
      onChange: ({ modelId }, version) => announced.push(`${modelId} ${version}`),
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Resolves with how long it took. */
  async function look(isNews = true): Promise<number> {
    const began = Date.now();
    const looked = files.look([model], isNews).then(() => Date.now() - began);
    await vi.advanceTimersByTimeAsync(300);
    return looked;
  }

  it('knows the first version when the look ends, and does not announce it', async () => {
    answer = after(100, file('v1'));
    expect(await look()).toBe(100);
    expect([files.versionOf(model), announced]).toEqual(['v1', []]);
  });

  it('waits for the first version only, and announces what comes later', async () => {
    answer = after(1_000, file('v1'));
    expect(await look()).toBe(250);
    expect(files.versionOf(model)).toBeUndefined();
    expect(await look()).toBe(0);
    await vi.advanceTimersByTimeAsync(TIMEOUT);
    expect([files.versionOf(model), announced]).toEqual(['v1', ['7 v1']]);
    expect(asked).toBe(2);
  });

  it('announces another version, whatever was answered in the last seconds', async () => {
    answer = async () => file('v1');
    await look();
    answer = async () => file('v2');
    expect(await look()).toBe(0);
    expect([files.versionOf(model), announced]).toEqual(['v2', ['7 v2']]);
  });

  it('asks again after a call that began before the news', async () => {
    answer = after(1_000, file('v1'));
    await look();
    answer = async () => file('v2');
    await look();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([files.versionOf(model), announced]).toEqual(['v2', ['7 v1', '7 v2']]);
  });

  it('has one call at a time, however often it looks', async () => {
    answer = never;
    for (let n = 0; n < 20; n++) await look();
    expect(asked).toBe(1);
    await vi.advanceTimersByTimeAsync(TIMEOUT);
    expect(asked).toBe(2);
  });

  it('does not ask again for what it has announced itself', async () => {
    // A provider that gives the same file another version each time would otherwise cause reads without an end.
    answer = async () => file(`v${asked}`);
    await look();
    await look();
    expect(announced).toEqual(['7 v2']);
    await look(false);
    expect(announced).toEqual(['7 v2']);
  });

  it.each([
    ['a failure', failing],
    ['an answer without a version', async () => 'http://m/plain'],
  ])('keeps the last version after %s', async (_, then) => {
    answer = async () => file('v1');
    await look();
    answer = then;
    await look();
    expect([files.versionOf(model), announced]).toEqual(['v1', []]);
  });

  it('asks for an earlier version on its own, and does not take it for the present one', async () => {
    answer = async ({ version = 'v2' }) => file(version);
    await look();
    const earlier = await Promise.all([1, 2].map(() => files.fileOf({ ...model, version: 'v1' })));
    expect(earlier).toEqual([file('v1'), file('v1')]);
    expect([asked, files.versionOf(model), announced]).toEqual([2, 'v2', []]);
  });

  it('shares an answer for 5 s, and no failure', async () => {
    answer = failing;
    await expect(files.fileOf(model)).rejects.toThrow('no database');
    answer = async () => file('v1');
    await files.fileOf(model);
    await vi.advanceTimersByTimeAsync(4_999);
    await files.fileOf(model);
    expect(asked).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    await files.fileOf(model);
    expect(asked).toBe(3);
  });

  it.each(['', 'v'.repeat(129), 'a\u0000b', 7 as never])(
    'refuses the version %j by name',
    async (version) => {
      answer = async () => ({ url: 'http://m', version });
      await expect(files.fileOf(model)).rejects.toThrow(/^version: must/);
      await look();
      expect(files.versionOf(model)).toBeUndefined();
    },
  );
});
