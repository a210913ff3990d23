import { describe, expect, it } from 'vitest';
import { phraseText } from '../wording/phrase.js';
import { actionSentence } from './operator-actions.js';

const say = (action: string, target: string | null) => phraseText(actionSentence('anna', action, target));
const refused = (action: string, target: string | null) =>
  phraseText(actionSentence('anna', action, target, 'The key may only read.'));

describe('actions of operators', () => {
  it('say who has done what', () => {
    expect(say('workersCordon', 'gpu-1:8000')).toBe('anna cordoned worker gpu-1:8000.');
    expect(say('displaysPutAll', 'd1, d2')).toBe('anna added or changed displays d1, d2.');
    expect(say('camerasCreate', null)).toBe('anna added a camera.');
    expect(say('masterResign', null)).toBe('anna had the master hand over.');
    expect(say('masterResign', 'term 3')).toBe('anna had the master hand over, target term 3.');
  });

  it('say what was refused, and why', () => {
    expect(refused('displaysPutAll', 'd1')).toBe(
      'anna has not added or changed displays d1. The key may only read.',
    );
    expect(refused('masterResign', null)).toBe(
      'anna has not had the master hand over. The key may only read.',
    );
    expect(refused('moonLightUp', null)).toBe('anna: moon light up. The key may only read.');
  });

  it('of unknown ids are readable', () => {
    expect(say('moonLightUp', null)).toBe('anna: moon light up.');
    expect(say('moonLightUp', 'tonight')).toBe('anna: moon light up, target tonight.');
    expect(say('opened the gate', null)).toBe('anna: opened the gate.');
    expect(say('constructor', null)).toBe('anna: constructor.');
  });

  it('isolate the texts of the event', () => {
    expect(actionSentence('<b>', 'workersDrain', '\u202E')).toEqual([
      { value: '<b>' },
      ' ',
      'started to drain worker',
      ' ',
      { value: '\u202E' },
      '.',
    ]);
    expect(actionSentence('anna', '<i>', null)).toContainEqual({ value: '<i>' });
  });
});
