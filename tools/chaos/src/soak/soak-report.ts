import { readFile } from 'node:fs/promises';
import { escaped } from '@detector-cluster/history';
import { type Growth, grows, isUnclear, type MeasureName, MEASURES, type Series } from './measures.js';
import { timeChart } from './time-chart.js';

export interface SoakReport {
  /** Milliseconds since 1970. */
  readonly start: number;
  /** The samples before this instant are shown but not judged. Milliseconds since 1970. */
  readonly warm: number;
  readonly kills: readonly number[];
  readonly series: readonly Series[];
  readonly growth: readonly Growth[];
  readonly figures: { readonly ok: boolean } & Readonly<Record<string, unknown>>;
}

/** Styles of the dashboard, so that the report looks like it. */
const STYLES = ['tokens', 'base', 'layout'].map(
  (name) => new URL(`../../../../apps/dashboard/src/styles/${name}.css`, import.meta.url),
);

const OWN_STYLES = `
body { padding: var(--space-5); }
main { max-inline-size: 80rem; margin-inline: auto; }
.verdict { padding: var(--space-1) var(--space-3); border-radius: var(--radius); font-weight: 600; }
.good { background: var(--ok-soft); color: var(--ok-text); }
.bad { background: var(--bad-soft); color: var(--bad-text); }
.open { background: var(--warn-soft); color: var(--warn-text); }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 34rem), 1fr)); gap: var(--space-4); }
.chart { margin: 0; padding: var(--space-3) var(--space-4); }
.chart svg { display: block; inline-size: 100%; block-size: auto; }
.chart text { fill: var(--text-muted); font: 11px var(--font); }
.chart .grid { stroke: var(--border); }
.chart .kill { stroke: var(--bad); stroke-width: 1.5; }
.chart .warm-up { fill: var(--surface-sunken); }
.chart .line { fill: none; stroke-width: 1.5; stroke-linejoin: round; }
.legend { display: flex; flex-wrap: wrap; gap: var(--space-4); color: var(--text-muted); font-size: var(--font-small); }
.legend i { display: inline-block; inline-size: 1em; block-size: 3px; margin-inline-end: var(--space-1); vertical-align: middle; }
dl.panel { display: flex; flex-wrap: wrap; gap: var(--space-3) var(--space-5); padding: var(--space-3) var(--space-4); }
dt { color: var(--text-muted); font-size: var(--font-small); }`;

/** A page with charts and figures of a run. It needs no other file, and no network. */
export async function soakReport(report: SoakReport): Promise<string> {
  const { figures, growth } = report;
  const styles = await Promise.all(STYLES.map((url) => readFile(url, 'utf8')));
  const measures = Object.keys(MEASURES) as MeasureName[];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Soak</title>
<style>${[...styles, OWN_STYLES].join('\n')}</style>
</head>
<body>
<main class="page">
<header class="page-header">
<h1>Soak: ${instant(report.start)}</h1>
<span class="verdict ${figures.ok ? 'good' : 'bad'}">${figures.ok ? 'passed' : 'failed'}</span>
</header>
<dl class="panel">
${Object.entries(figures).map(factOf).join('\n')}
</dl>
<section class="section">
<h2>What each process holds</h2>
<p class="section-note">A red mark is a kill of another process. The grey part is the warm-up, which is not judged.</p>
<div class="charts">
${measures.map((measure) => chart(measure, report)).join('\n')}
</div>
</section>
<section class="section">
<h2>Growth in an hour</h2>
<p class="section-note">The median of the slopes between all pairs of samples of one role (Theil–Sen), and the interval of three
standard deviations around it by Kendall's test, wider where samples depend on those before them. A growth counts if the whole
interval is above the limit.</p>
<div class="panel table-scroll">
<table class="table">
<thead><tr><th>Process</th><th>Measure</th><th class="number">Growth</th><th class="number">From</th><th class="number">To</th><th class="number">Limit</th><th>Verdict</th></tr></thead>
<tbody>
${growth.map(row).join('\n')}
</tbody>
</table>
</div>
</section>
</main>
</body>
</html>
`;
}

function chart(measure: MeasureName, { start, warm, kills, series }: SoakReport): string {
  const { title, unit } = MEASURES[measure];
  const lines = series
    .filter((each) => each.measure === measure)
    .map(({ process, samples }) => ({
      name: process,
      points: samples.map(({ at, value }) => [minutes(at - start), value] as const),
    }));
  return timeChart({
    title: unit === '' ? title : `${title}, ${unit}`,
    lines,
    from: minutes(warm - start),
    marks: kills.map((at) => minutes(at - start)),
  });
}

const minutes = (ms: number): number => ms / 60_000;

const instant = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function factOf([name, value]: readonly [string, unknown]): string {
  const text =
    typeof value === 'object'
      ? JSON.stringify(value)
          .replaceAll(/["{}[\]]/g, '')
          .replaceAll(/[:,]/g, '$& ')
      : String(value);
  return `<div><dt>${name}</dt><dd>${escaped(text || '–')}</dd></div>`;
}

function row(growth: Growth): string {
  const { process, measure, perHour, least, most, limit } = growth;
  const [style, verdict] =
    limit === undefined
      ? ['', 'not judged']
      : grows(growth)
        ? ['bad', 'grows']
        : isUnclear(growth)
          ? ['open', 'too few samples to tell']
          : ['good', 'within the limit'];
  const cells = [perHour, least, most, limit].map((value) => `<td class="number">${figure(value)}</td>`);
  const { title, unit } = MEASURES[measure];
  const name = unit === '' ? title : `${title}, ${unit}`;
  return `<tr><td>${escaped(process)}</td><td>${name}</td>${cells.join('')}<td><span class="verdict ${style}">${verdict}</span></td></tr>`;
}

const figure = (value: number | undefined): string => value?.toFixed(2) ?? '–';
