import { expect, it } from 'vitest';
import type { HeldLease } from '../lease/lease-store.js';
import { NamesakeWatch } from './namesake-watch.js';

const held = (owner: string, seq: string): HeldLease => ({
  owner,
  term: 1,
  mode: 'presence',
  seq,
  validity: 409,
  absent: false,
  ttl: 1_000,
});

it('says that a namesake lives once its lease is confirmed, and says so once', () => {
  const watch = new NamesakeWatch();
  expect(['1', '1', '2', '3'].map((seq) => watch.shows(held('a:other:1', seq)))).toEqual([
    false,
    false,
    true,
    false,
  ]);
});

it('does not mistake the next claim for a confirmation', () => {
  const watch = new NamesakeWatch();
  watch.shows(held('a:other:1', '5'));
  expect(watch.shows(held('a:another:1', '1'))).toBe(false);
  expect(watch.shows(held('a:another:1', '2'))).toBe(true);
});
