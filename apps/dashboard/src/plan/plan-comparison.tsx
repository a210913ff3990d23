import type { PlanAnswer } from '../api/cluster-types.js';
import { Button } from '../ui/button.js';
import { planFigures, type PlanFigures } from './plan-text.js';
import './plan.css';

export interface PlanComparisonProps {
  readonly usual: PlanAnswer;
  readonly rebalanced: PlanAnswer;
  /** The plan that is shown below. */
  readonly rebalance: boolean;
  readonly onChoose: (rebalance: boolean) => void;
}

const COLUMNS: readonly (readonly [title: string, cell: (figures: PlanFigures) => string])[] = [
  ['Steps', ({ steps }) => steps.toLocaleString('en-GB')],
  ['Moves', ({ moves, movesAreMore }) => `${moves.toLocaleString('en-GB')}${movesAreMore ? ' or more' : ''}`],
  ['Held', ({ held }) => held.toLocaleString('en-GB')],
  ['Without a worker', ({ unplaced }) => unplaced.toLocaleString('en-GB')],
  ['Spread of load', ({ spread }) => `${spread.toFixed(1)} %`],
  ['Deviation', ({ deviation }) => `${deviation.toFixed(1)} %`],
];

/** Compares the two plans in numbers; the chosen one is shown below. */
export function PlanComparison({ usual, rebalanced, rebalance, onChoose }: PlanComparisonProps) {
  const rows = [
    { name: 'Automatic', chosen: !rebalance, figures: planFigures(usual), choose: () => onChoose(false) },
    {
      name: 'With rebalance',
      chosen: rebalance,
      figures: planFigures(rebalanced),
      choose: () => onChoose(true),
    },
  ];
  return (
    <div class="panel table-scroll" tabIndex={0} role="region" aria-label="Comparison of the two plans">
      <table class="table plan-comparison">
        <caption class="hidden-visually">The automatic plan, and the plan with a rebalance</caption>
        <thead>
          <tr>
            <th scope="col">Plan</th>
            {COLUMNS.map(([title]) => (
              <th key={title} scope="col" class="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, chosen, figures, choose }) => (
            <tr key={name} class={chosen ? 'plan-chosen' : undefined}>
              <th scope="row">
                <Button size="small" pressed={chosen} onClick={choose}>
                  {name}
                </Button>
              </th>
              {COLUMNS.map(([title, cell]) => (
                <td key={title} class="number">
                  {cell(figures)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
