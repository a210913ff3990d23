import { expect, it } from 'vitest';
import { candidateOfOwner, instanceOf, instanceOfOwner, newIncarnation, newOwner } from './lease-owner.js';

it('finds the instance and the candidate in an owner, also when the id of the candidate contains colons', () => {
  const incarnation = newIncarnation();
  const owner = newOwner(instanceOf('cms:uuid', incarnation));
  expect(instanceOfOwner(owner)).toBe(`cms:uuid:${incarnation}`);
  expect(candidateOfOwner(owner)).toBe('cms:uuid');
});

it('never gives the same owner twice, and no two lives the same incarnation', () => {
  expect(newOwner('a:x')).not.toBe(newOwner('a:x'));
  expect(newIncarnation()).not.toBe(newIncarnation());
});
