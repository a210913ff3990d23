import type { PlanAnswer } from '../api/cluster-types.js';
import { Button } from '../ui/button.js';
import { Table, type TableColumn } from '../ui/table.js';
import { planFigures, type PlanFigures } from './plan-text.js';
import './plan.css';

export interface PlanComparisonProps {
  readonly usual: PlanAnswer;
  readonly rebalanced: PlanAnswer;
  /** The plan that is shown below. */
  readonly rebalance: boolean;
  readonly onChoose: (rebalance: boolean) => void;
}

interface PlanRow {
  readonly name: string;
  readonly chosen: boolean;
  readonly figures: PlanFigures;
  readonly choose: () => void;
}

const figure = (title: string, text: (figures: PlanFigures) => string): TableColumn<PlanRow> => ({
  title,
  number: true,
  cell: ({ figures }) => text(figures),
});

const COLUMNS: readonly TableColumn<PlanRow>[] = [
  {
    title: 'Plan',
    cell: ({ name, chosen, choose }) => (
      <Button size="small" pressed={chosen} onClick={choose}>
        {name}
      </Button>
    ),
  },
  figure('Steps', ({ steps }) => steps.toLocaleString('en-GB')),
  figure(
    'Moves',
    ({ moves, movesAreMore }) => `${moves.toLocaleString('en-GB')}${movesAreMore ? ' or more' : ''}`,
  ),
  figure('Held', ({ held }) => held.toLocaleString('en-GB')),
  figure('Without a worker', ({ unplaced }) => unplaced.toLocaleString('en-GB')),
  figure('Spread of load', ({ spread }) => `${spread.toFixed(1)} %`),
  figure('Deviation', ({ deviation }) => `${deviation.toFixed(1)} %`),
];

/** Compares the two plans in numbers; the chosen one is shown below. */
export function PlanComparison({ usual, rebalanced, rebalance, onChoose }: PlanComparisonProps) {
  const row = (name: string, plan: PlanAnswer, rebalances: boolean): PlanRow => ({
    name,
    chosen: rebalance === rebalances,
    figures: planFigures(plan),
    choose: () => onChoose(rebalances),
  });
  return (
    <div class="panel">
      <Table
        label="Comparison of the two plans"
        class="plan-comparison"
        columns={COLUMNS}
        items={[row('Automatic', usual, false), row('With rebalance', rebalanced, true)]}
        keyOf={({ name }) => name}
        rowClass={({ chosen }) => (chosen ? 'plan-chosen' : undefined)}
      />
    </div>
  );
}
