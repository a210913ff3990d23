import { describe, expect, it } from 'vitest';
import type { LeaseMode } from '../lease/lease-store.js';
import { ModeChoice } from './mode-choice.js';

const NEAR = 5;
const FAR = 300;

const held = (mode: LeaseMode, seen = true) => ({ mode, seen, wanted: undefined });
const answers = (choice: ModeChoice, count: number, roundTrip: number) => {
  for (let i = 0; i < count; i++) choice.answered(roundTrip);
};

describe('ModeChoice', () => {
  it('keeps a lease on presence while the store answers fast', () => {
    const choice = new ModeChoice(400, true);
    answers(choice, 100, NEAR);
    expect(choice.change(held('presence'))).toBeUndefined();
  });

  it('lets it rest on time when the store is slow for long, not after a single delay', () => {
    const choice = new ModeChoice(400, true);
    answers(choice, 19, FAR);
    answers(choice, 1, NEAR);
    answers(choice, 19, FAR);
    expect(choice.change(held('presence'))).toBeUndefined();
    answers(choice, 1, FAR);
    expect(choice.change(held('presence'))).toBe('lease');
  });

  it('lets it rest on presence again when the store answers fast', () => {
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

  it('changes nothing if presence is not configured', () => {
    expect(new ModeChoice(400, false).change(held('lease'))).toBeUndefined();
  });
});
