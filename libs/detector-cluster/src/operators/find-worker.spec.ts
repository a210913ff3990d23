import { describe, expect, it } from 'vitest';
import { findWorker } from './find-worker.js';

const worker = (id: string) => ({ id, url: id, protocol: 'v1' as const, capacity: 1 });
const workers = [worker('ws://w1:8000'), worker('wss://w2:8000?token=***')];

const find = () => findWorker(workers, 'ws://x:hunter3@w3:8000');

describe('findWorker', () => {
  it.each([
    ['ws://w1:8000', 'ws://w1:8000'],
    ['ws://w1:8000//', 'ws://w1:8000'],
    ['wss://user:hunter2@w2:8000?token=abcdefgh', 'wss://w2:8000?token=***'],
    ['wss://w2:8000?token=***', 'wss://w2:8000?token=***'],
  ])('finds %s', (url, id) => {
    expect(findWorker(workers, url).id).toBe(id);
  });

  it('lists the configured workers without secrets when the URL is none of them', () => {
    expect(find).toThrow(
      'url: no worker ws://w3:8000 is configured in this process; give one of the option workers: ws://w1:8000, wss://w2:8000?token=***',
    );
    expect(find).toThrow(expect.objectContaining({ code: 'UNKNOWN_WORKER', url: 'ws://w3:8000' }));
    expect(() => findWorker([], 'ws://w3')).toThrow(/the option workers is empty/);
    const many = Array.from({ length: 12 }, (_, i) => worker(`ws://w${i}`));
    expect(() => findWorker(many, 'ws://x')).toThrow(/ws:\/\/w9, and 2 more$/);
  });

  it.each([undefined, null, 7, ''])('rejects %p', (url) => {
    expect(() => findWorker(workers, url)).toThrow(
      expect.objectContaining({ name: 'InvalidInputError', field: 'url' }),
    );
  });
});
