import { describe, expect, it } from 'vitest';
import { urlsOf } from './history.fixture.js';
import { MAX_URL_LENGTH, MAX_LINES, WorkerLines } from './worker-lines.js';

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;
const loads = (...urls: string[]) => new Map(urls.map((url, index) => [url, index]));

describe('the lines of workers', () => {
  it('keep their place while workers come and go, also under another master', () => {
    const lines = new WorkerLines(null);
    expect(lines.arrange(loads('ws://b', 'ws://a'), NOW)).toEqual([1, 0]);
    expect(lines.arrange(loads('ws://b'), NOW)).toEqual([null, 0]);
    const successor = new WorkerLines(lines.encode());
    expect(successor.arrange(loads('ws://b', 'ws://c'), NOW)).toEqual([null, 0, 1]);
    expect(successor.urls).toEqual(['ws://a', 'ws://b', 'ws://c']);
  });

  it('are limited in number and length', () => {
    const lines = new WorkerLines(null);
    const all = [...urlsOf(MAX_LINES + 10, 20), `ws://${'x'.repeat(MAX_URL_LENGTH)}`];
    expect(lines.arrange(loads(...all), NOW)).toHaveLength(MAX_LINES);
    expect(new WorkerLines(lines.encode()).urls).toEqual(lines.urls);
  });

  it('go to another worker only when no record can name the old one', () => {
    const lines = new WorkerLines(null);
    const [first, ...others] = urlsOf(MAX_LINES, 20);
    lines.arrange(loads(first!, ...others), NOW);
    lines.arrange(loads(...others, 'ws://new'), NOW + 24 * HOUR);
    expect(lines.urls).not.toContain('ws://new');
    lines.arrange(loads(...others, 'ws://new'), NOW + 26 * HOUR);
    expect(lines.urls).toEqual(['ws://new', ...others]);
  });

  it('are none when the text cannot be read', () => {
    for (const text of ['{', '{}', '[{"url":1}]']) expect(new WorkerLines(text).urls).toEqual([]);
  });
});
