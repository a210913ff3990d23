import { describe, expect, it } from 'vitest';
import { planReport } from './plan-report.js';
import { emptyPlan } from './fake-controls.fixture.js';

const unplaced = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ unitId: `c${i}`, reasons: { capacity: 1 } }));

describe('planReport', () => {
  it('leaves short lists unchanged', () => {
    const plan = { ...emptyPlan, unplaced: unplaced(1_000) };
    expect(planReport(plan)).toEqual({
      ...plan,
      omitted: { actions: 0, held: 0, unplaced: 0, moves: 0 },
    });
  });

  it('truncates long lists and reports the number of omitted entries', () => {
    const moves = Array.from({ length: 4 }, (_, i) => ({ unitId: `${i}`, from: 'a', to: 'b', since: '' }));
    const report = planReport({ ...emptyPlan, unplaced: unplaced(5), moves }, 3);
    expect(report.unplaced).toEqual(unplaced(3));
    expect(report.moves).toEqual(moves.slice(0, 3));
    expect(report.omitted).toEqual({ actions: 0, held: 0, unplaced: 2, moves: 1 });
  });
});
