import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { SecretBox } from './secret-box.js';

const one = 'one-secret-of-at-least-32-characters';
const two = 'two-secret-of-at-least-32-characters';
const text = 'rtsp://user:hunter2@cäm/1';

describe('SecretBox', () => {
  it('opens what it sealed, in any process with the same secret', () => {
    const sealed = new SecretBox([one]).seal(text, 'd;c');
    expect(sealed).not.toContain('hunter2');
    expect(new SecretBox([one]).open(sealed, 'd;c')).toBe(text);
    expect(new SecretBox([one]).seal(text, 'd;c')).not.toBe(sealed);
  });

  it('does not open text that has another secret, another context or changes', () => {
    const box = new SecretBox([one]);
    const sealed = box.seal(text, 'd;c');
    expect(new SecretBox([two]).open(sealed, 'd;c')).toBeNull();
    expect(box.open(sealed, 'd;c2')).toBeNull();
    for (let i = 0; i < sealed.length - 1; i++) {
      const changed = sealed.slice(0, i) + (sealed[i] === 'A' ? 'B' : 'A') + sealed.slice(i + 1);
      expect(box.open(changed, 'd;c')).toBeNull();
    }
    for (const other of ['', 'v1.', 'v1.AAAA', 'v2.AAAA', sealed.slice(0, 30)])
      expect(box.open(other, 'd;c')).toBeNull();
  });

  it('seals with the first secret and opens with all', () => {
    const old = new SecretBox([one]).seal(text, 'd;c');
    const rotated = new SecretBox([two, one]);
    expect(rotated.open(old, 'd;c')).toBe(text);
    expect(new SecretBox([two]).open(rotated.seal(text, 'd;c'), 'd;c')).toBe(text);
    expect(rotated.hashKey).toEqual(new SecretBox([two]).hashKey);
    expect(rotated.hashKey).not.toEqual(new SecretBox([one]).hashKey);
  });

  it('shows no key in JSON or in logs', () => {
    const box = new SecretBox([one]);
    expect(JSON.stringify(box)).toBe('{}');
    expect(inspect(box, { depth: 9, showHidden: true })).not.toMatch(/one-secret|Buffer|Uint8Array/);
  });
});
