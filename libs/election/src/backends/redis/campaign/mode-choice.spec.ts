import { describe, expect, it } from '@jest/globals';
import type { LeaseMode } from '../lease/lease-store.js';
import { ModeChoice } from './mode-choice.js';

const NEAR = 5;
const FAR = 300;

const held = (mode: LeaseMode, seen = true) => ({ mode, seen, wanted: undefined });
const answers = (choice: ModeChoice, count: number, roundTrip: number) => {
  for (let i = 0; i < count; i++) choice.answered(roundTrip);
};

describe('ModeChoice', () => {
  it('leaves a lease that rests on presence as it is while the store is near', () => {
    const choice = new ModeChoice(400, true);
    answers(choice, 100, NEAR);
    expect(choice.change(held('presence'))).toBeUndefined();
  });

  it('lets it rest on time when the store is far for long, not after a hiccup', () => {
    const choice = new ModeChoice(400, true);
    answers(choice, 19, FAR);
    answers(choice, 1, NEAR);
    answers(choice, 19, FAR);
    expect(choice.change(held('presence'))).toBeUndefined();
    answers(choice, 1, FAR);
    expect(choice.change(held('presence'))).toBe('lease');
  });

  it('lets it rest on presence again when the store has come near', () => {
    const choice = new ModeChoice(400, true);
    answers(choice, 20, FAR);
    choice.change(held('presence'));
    expect(choice.change(held('lease'))).toBeUndefined();
    answers(choice, 5, NEAR);
    expect(choice.change(held('lease'))).toBeUndefined();
    answers(choice, 1, NEAR);
    expect(choice.change(held('lease'))).toBe('presence');
  });

  it('lets a lease rest on presence as soon as the store sees its process, and not before', () => {
    const choice = new ModeChoice(400, true);
    expect(choice.change(held('lease', false))).toBeUndefined();
    expect(choice.change(held('lease', true))).toBe('presence');
    expect(choice.change({ ...held('lease'), wanted: 'presence' })).toBeUndefined();
  });

  it('leaves everything as it is where presence is not wanted', () => {
    expect(new ModeChoice(400, false).change(held('lease'))).toBeUndefined();
  });
});
