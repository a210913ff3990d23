import { escaped } from '@detector-cluster/history';

export interface TimeChart {
  readonly title: string;
  readonly lines: readonly {
    readonly name: string;
    readonly points: readonly (readonly [number, number])[];
  }[];
  /** The part before this is drawn in grey. Minutes, as all times. */
  readonly from: number;
  readonly marks: readonly number[];
}

const WIDTH = 640;
const HEIGHT = 220;
/** Space for the figures of the axes. */
const LEFT = 48;
const BOTTOM = 20;
const TOP = 8;
const MARK = 8;
const TICKS = 4;
const COLOURS = 4;

/** A figure with lines over time, as HTML. */
export function timeChart({ title, lines, from, marks }: TimeChart): string {
  const points = lines.flatMap((line) => line.points);
  const end = Math.max(from, ...points.map(([at]) => at));
  const { low, high, step } = scaleOf(points.map(([, value]) => value));
  const x = (at: number): string => (LEFT + (at / end) * (WIDTH - LEFT)).toFixed(1);
  const y = (value: number): string =>
    (HEIGHT - BOTTOM - ((value - low) / (high - low)) * (HEIGHT - BOTTOM - TOP)).toFixed(1);
  const floor = HEIGHT - BOTTOM;
  const grid = ticks(low, high, step).map(
    (value) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH}" y1="${y(value)}" y2="${y(value)}"/>` +
      `<text x="${LEFT - 6}" y="${y(value)}" text-anchor="end" dominant-baseline="middle">${short(value, step)}</text>`,
  );
  const minutes = stepOf(end / TICKS);
  const times = ticks(0, end, minutes).map(
    (at) => `<text x="${x(at)}" y="${HEIGHT - 4}" text-anchor="middle">${short(at, minutes)} min</text>`,
  );
  const kills = marks.map(
    (at) => `<line class="kill" x1="${x(at)}" x2="${x(at)}" y1="${floor - MARK}" y2="${floor}"/>`,
  );
  const drawn = lines.map(
    ({ points: each }, index) =>
      `<polyline class="line" style="stroke: ${colour(index)}" points="${each.map(([at, value]) => `${x(at)},${y(value)}`).join(' ')}"/>`,
  );
  const names = lines.map(
    ({ name }, index) => `<span><i style="background: ${colour(index)}"></i>${escaped(name)}</span>`,
  );
  return `<figure class="panel chart">
<figcaption><h3>${title}</h3></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title} over time">
<rect class="warm-up" x="${LEFT}" y="${TOP}" width="${Number(x(from)) - LEFT}" height="${floor - TOP}"/>
${[...grid, ...times, ...kills, ...drawn].join('\n')}
</svg>
<div class="legend">${names.join('')}</div>
</figure>`;
}

const colour = (index: number): string => `var(--chart-${1 + (index % COLOURS)})`;

/** A range with room around the values, whose ends are multiples of the step. */
function scaleOf(values: readonly number[]) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const step = stepOf((most - least || Math.abs(most) || 1) / TICKS);
  const low = Math.floor(least / step) * step;
  return { low, high: Math.max(low + step, Math.ceil(most / step) * step), step };
}

/** 1, 2 or 5 times a power of ten, at least the value. */
function stepOf(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= value * 0.999)!;
}

function ticks(low: number, high: number, step: number): number[] {
  return Array.from({ length: Math.floor((high - low) / step + 0.001) + 1 }, (_, n) => low + n * step);
}

const short = (value: number, step: number): string =>
  value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 0.001)));
