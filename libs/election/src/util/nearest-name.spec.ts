import { describe, expect, it } from 'vitest';
import { nearestName } from './nearest-name.js';

const names = ['workers', 'keyPrefix', 'modelUrl', 'redis', 'prisma', 'timings', 'host'];

describe('nearestName', () => {
  it.each([
    ['worker', 'workers'],
    ['keyprefix', 'keyPrefix'],
    ['modelurl', 'modelUrl'],
    ['reids', 'redis'],
    ['prsima', 'prisma'],
    ['timing', 'timings'],
  ])('proposes for %s the name %s', (given, name) => {
    expect(nearestName(given, names)).toBe(`; did you mean ${name}?`);
  });

  it.each(['', 'x', 'isGlobal', 'somethingElse', 'database'])('proposes nothing for %j', (given) => {
    expect(nearestName(given, names)).toBe('');
  });
});
