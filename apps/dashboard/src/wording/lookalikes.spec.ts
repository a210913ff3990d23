import { describe, expect, it } from 'vitest';
import { lookalikeNote } from './lookalikes.js';

describe('lookalikeNote', () => {
  it.each([
    ['cаm-001', '“cаm” mixes Latin and Cyrillic letters'],
    ['cam-οffice', '“οffice” mixes Latin and Greek letters'],
    ['сор-1', '“сор” looks like Latin letters, but is Cyrillic'],
    ['ΑΒ', '“ΑΒ” looks like Latin letters, but is Greek'],
    ['cam-٠٠١', '“٠٠١” has digits of another script than 0 to 9'],
    ['Ꭺcme', '“Ꭺcme” mixes Latin and Cherokee letters'],
  ])('marks %s', (name, note) => {
    expect(lookalikeNote(name)).toBe(note);
  });

  it.each([
    'cam-001',
    'Einfahrt Süd',
    'камера-7',
    'камера front',
    'カメラ1',
    '正门cam',
    'หน้าร้าน',
    'مدخل',
    'κάμερα',
  ])('does not mark %s', (name) => {
    expect(lookalikeNote(name)).toBeNull();
  });
});
