import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectionFacts, MAX_BOXES } from './detection-facts.js';

const NONE = { label: null, confidence: null, boxes: [], pictureId: null };
const of = (detection: object) => detectionFacts({ detection });

describe('detectionFacts', () => {
  it('prefers the plate and its confidence, then a label, then the car', () => {
    const car = { carBrand: 'Honda', carModel: 'Civic', confidence: 0.5, licensePlateConfidence: 0.91 };
    expect(of({ ...car, label: 'car', licensePlateText: 'ABC 1' })).toMatchObject({
      label: 'ABC 1',
      confidence: 0.91,
    });
    expect(of({ ...car, label: 'car' })).toMatchObject({ label: 'car', confidence: 0.5 });
    expect(of(car)).toMatchObject({ label: 'Honda Civic', confidence: 0.5 });
    expect(of({ licensePlateText: ' ' })).toEqual(NONE);
  });

  it('gives boxes as shares of the frame, cut at its edges', () => {
    const frame = { frameWidth: 200, frameHeight: 100 };
    const boxes = [
      { x: 20, y: 10, width: 100, height: 50, area: 7 },
      { x: -20, y: 90, width: 40, height: 40 },
      { x: 300, y: 0, width: 10, height: 10 },
      { x: 0, y: 0, width: 0, height: 10 },
      'no box',
    ];
    expect(of({ ...frame, boxes }).boxes).toEqual([
      [0.1, 0.1, 0.5, 0.5],
      [0, 0.9, 0.1, 0.1],
    ]);
    expect(of({ boxes }).boxes).toEqual([]);
    expect(of({ ...frame, boxes: Array(20).fill(boxes[0]) }).boxes).toHaveLength(MAX_BOXES);
  });

  it('accepts any report of a model, and fits into a pulse', () => {
    fc.assert(
      fc.property(fc.anything(), (data) => {
        for (const facts of [detectionFacts(data), detectionFacts({ detection: data })])
          expect(facts.boxes.flat().every((share) => share >= 0 && share <= 1)).toBe(true);
      }),
    );
    expect(detectionFacts(null)).toEqual(NONE);
    expect(of({ confidence: 91, pictureId: 'x'.repeat(257), boxes: {} })).toEqual(NONE);
  });
});
