import { firstOfEach, processName, type Findings, type Violation } from './check-history.js';
import type { History } from './history.js';
import type { Claim, Span } from './history-line.js';

/** Pixels. */
const WIDTH = 1_280;
const LEFT = 190;
const RIGHT = 20;
const TOP = 76;
const ROW = 44;
const LINE = 18;
/** Faults whose names would overlap go into further lines. */
const FAULT_LINES = 6;
const CHARACTER = 6.2;
const FIRST_ROW = TOP + FAULT_LINES * LINE;
const BUCKETS = 400;
const MAX_MARKED = 1_000;
/** Of each promise. */
const MAX_LISTED = 5;

const COLOURS = ['#2563eb', '#0d9488', '#7c3aed', '#b45309', '#be185d', '#4d7c0f'];
const FAULT = '#b45309';
const VIOLATION = '#dc2626';
const CALLBACKS = '#94a3b8';
const STALL = '#4b5563';
const START = '#16a34a';
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2937; }
  .small { font-size: 11px; fill: #4b5563; }
  .title { font-size: 16px; font-weight: 600; }
  .term { fill: #fff; font-weight: 600; }
  .broken, .broken text { fill: ${VIOLATION}; }`;

/** Text as it stands in HTML and SVG, also in an attribute. */
export const escaped = (text: string) =>
  text.replaceAll(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);

type Attributes = Readonly<Record<string, string | number>>;

/** An element. @param content escaped already */
function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    typeof value === 'number' ? ` ${key}="${Math.round(value * 10) / 10}"` : ` ${key}="${escaped(value)}"`,
  );
  return `<${name}${written.join('')}>${content}</${name}>`;
}

const text = (x: number, y: number, content: string, more: Attributes = {}) =>
  element('text', { x, y, ...more }, escaped(content));
const rule = (y: number, stroke: string) =>
  element('line', { x1: 16, y1: y, x2: WIDTH - RIGHT, y2: y, stroke });
const tip = (content: string) => element('title', {}, escaped(content));

/** A time in which a process was master in one term, as far as it is known. */
interface Mastership extends Span {
  readonly process: string;
  readonly term: number;
}

/** Where no process was asked, the writes that Redis took say it. */
function claimsOf(history: History): readonly Claim[] {
  if (history.claims.length > 0) return history.claims;
  return history.fenced.flatMap(({ accepted, at, process, term }) =>
    accepted ? [{ process: processName(history, process), term, at }] : [],
  );
}

function masterships(claims: readonly Claim[]): Mastership[] {
  const open = new Map<string, { process: string; term: number; from: number; to: number }>();
  const all: Mastership[] = [];
  for (const { at, process, term } of claims) {
    const last = open.get(process);
    if (last !== undefined && last.term === term) last.to = at;
    else if (term === null) open.delete(process);
    else {
      const next = { process, term, from: at, to: at };
      open.set(process, next);
      all.push(next);
    }
  }
  return all;
}

/** The whole time of a history. */
function spanOf(history: History): Span {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const { accepted, claims, commands, deliveries, end, faults, fenced, processes, stalls } = history;
  for (const list of [accepted.values(), claims, commands, deliveries, faults, fenced, processes, stalls])
    for (const { at } of list) [from, to] = [Math.min(from, at), Math.max(to, at)];
  if (end !== undefined) to = Math.max(to, end.at);
  return from < to ? { from, to } : { from: 0, to: 1_000 };
}

/** A round number of milliseconds between marks of the axis. */
function stepFor(length: number): number {
  const rough = length / 12;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough)!;
}

/** Draws the time line of a history as SVG: processes as rows, with their terms, deliveries, faults and violations. */
export function drawHistory(history: History, findings: Findings): string {
  return new TimeLine(history, findings).draw();
}

class TimeLine {
  private readonly masters: readonly Mastership[];
  private readonly terms: readonly number[];
  private readonly span: Span;
  /** Names of processes. */
  private readonly rows: readonly string[];
  /** The foot of the last row. */
  private readonly bottom: number;

  constructor(
    private readonly history: History,
    private readonly findings: Findings,
  ) {
    const { claims, commands, deliveries, fenced, processes } = history;
    const names = [
      ...processes.map(({ name }) => name),
      ...claims.map(({ process }) => process),
      ...[...deliveries, ...fenced].map(({ process }) => processName(history, process)),
      ...commands.map(({ worker }) => worker),
    ];
    this.masters = masterships(claimsOf(history));
    const terms = [...this.masters, ...commands].map(({ term }) => term);
    this.terms = [...new Set(terms)].sort((a, b) => a - b);
    this.span = spanOf(history);
    this.rows = [...new Set(names)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    this.bottom = FIRST_ROW + this.rows.length * ROW;
  }

  draw(): string {
    const { list, height } = this.listed();
    const parts = [
      ...this.heading(),
      ...this.axis(),
      ...this.faults(),
      ...this.rowLines(),
      ...this.callbacks(),
      ...this.masterBars(),
      ...this.commands(),
      ...this.stalls(),
      ...this.starts(),
      ...this.refusals(),
      ...this.findings.violations.slice(0, MAX_MARKED).flatMap((violation) => this.mark(violation)),
      ...list,
    ];
    const back = element('rect', { width: WIDTH, height, fill: '#fff' });
    const frame = {
      xmlns: 'http://www.w3.org/2000/svg',
      width: WIDTH,
      height,
      viewBox: `0 0 ${WIDTH} ${height}`,
    };
    return `${element('svg', frame, `<style>${STYLE}</style>${back}${parts.join('\n')}`)}\n`;
  }

  private x(at: number): number {
    const { from, to } = this.span;
    return LEFT + ((at - from) / (to - from)) * (WIDTH - LEFT - RIGHT);
  }

  /** The top of the row of a process. @param process its name, or its id */
  private y(process: string | number): number {
    const name = typeof process === 'number' ? processName(this.history, process) : process;
    return FIRST_ROW + this.rows.indexOf(name) * ROW;
  }

  private heading(): string[] {
    const { scenario, seed } = this.history.header!;
    const { broken } = this.findings;
    const verdict = broken.length === 0 ? 'every promise held' : `broken: ${broken.join(', ')}`;
    return [
      text(16, 28, `${scenario}, seed ${seed}`, { class: 'title' }),
      text(16, 48, verdict, broken.length === 0 ? {} : { class: 'broken' }),
      legend(),
    ];
  }

  private axis(): string[] {
    const { from, to } = this.span;
    const step = stepFor(to - from);
    return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => i * step).flatMap((at) => {
      const x = this.x(from + at);
      return [
        element('line', { x1: x, y1: TOP, x2: x, y2: this.bottom, stroke: '#e5e7eb' }),
        text(x, this.bottom + 16, `${at / 1_000} s`, { class: 'small', 'text-anchor': 'middle' }),
      ];
    });
  }

  /** The names of those that have no room are in the tip of their line. */
  private faults(): string[] {
    const ends = Array.from({ length: FAULT_LINES }, () => LEFT);
    const parts = [text(16, TOP + 13, 'faults')];
    for (const { at, what } of this.history.faults) {
      const x = this.x(at);
      const line = { x1: x, y1: TOP, x2: x, y2: this.bottom, stroke: FAULT, opacity: 0.6 };
      parts.push(element('line', { ...line, 'stroke-dasharray': '2 3' }, tip(what)));
      const shown = what.length > 48 ? `${what.slice(0, 47)}…` : what;
      const width = shown.length * CHARACTER + 8;
      const start = Math.min(x + 3, WIDTH - RIGHT - width);
      const place = ends.findIndex((end) => end <= start);
      if (place < 0) continue;
      ends[place] = start + width;
      parts.push(text(start, TOP + 13 + place * LINE, shown, { class: 'small', style: `fill: ${FAULT}` }));
    }
    return parts;
  }

  private rowLines(): string[] {
    const rows = this.rows.flatMap((name) => [
      rule(this.y(name), '#d1d5db'),
      text(16, this.y(name) + 26, name.length > 26 ? `…${name.slice(-25)}` : name),
    ]);
    return [...rows, rule(this.bottom, '#9ca3af')];
  }

  /** How many callbacks have started in each part of the time, at the foot of each row. */
  private callbacks(): string[] {
    const { from, to } = this.span;
    const length = (to - from) / BUCKETS;
    const counts = new Map<number, number[]>();
    for (const { at, process } of this.history.deliveries) {
      const y = this.y(process);
      let row = counts.get(y);
      if (row === undefined) counts.set(y, (row = Array.from({ length: BUCKETS }, () => 0)));
      row[Math.min(BUCKETS - 1, Math.floor((at - from) / length))]!++;
    }
    const highest = Math.max(1, ...[...counts.values()].flat());
    return [...counts].map(([y, row]) => {
      const bars = row.flatMap((count, i) => {
        const x = this.x(from + (i + 0.5) * length).toFixed(1);
        return count === 0 ? [] : [`M${x} ${y + ROW - 1}v${(-16 * Math.sqrt(count / highest)).toFixed(1)}`];
      });
      const bar = { d: bars.join(''), stroke: CALLBACKS, 'stroke-width': 2 };
      return element('path', bar, tip('callbacks that start'));
    });
  }

  private masterBars(): string[] {
    return this.masters.flatMap(({ from, process, term, to }) => {
      const [x, y] = [this.x(from), this.y(process) + 6];
      const width = Math.max(this.x(to) - x, 2);
      const fill = this.colourOf(term);
      const about = tip(`${process} is master in term ${term}`);
      const bar = element('rect', { x, y, width, height: 16, rx: 3, fill }, about);
      // The last digits differ.
      const name = text(x + 5, y + 12, `term ${String(term).slice(-7)}`, { class: 'term' });
      return width > 90 ? [bar, name] : [bar];
    });
  }

  private colourOf(term: number): string {
    return COLOURS[Math.max(0, this.terms.indexOf(term)) % COLOURS.length]!;
  }

  /** What workers have carried out. */
  private commands(): string[] {
    return this.history.commands.map(({ at, term, type, worker }) => {
      const dot = { cx: this.x(at), cy: this.y(worker) + 22, r: 3, fill: this.colourOf(term) };
      return element('circle', dot, tip(`${type} of term ${term}`));
    });
  }

  private stalls(): string[] {
    return this.history.stalls.map(({ at, ms, process }) => {
      const x = this.x(at - ms);
      const width = Math.max(1, this.x(at) - x);
      const bar = { x, y: this.y(process) + 24, width, height: 5, fill: STALL };
      return element('rect', bar, tip(`stood still for ${ms} ms`));
    });
  }

  private starts(): string[] {
    return this.history.processes.map(({ at, name }) => {
      const d = `M${this.x(at).toFixed(1)} ${this.y(name) + 24} l7 7 l-7 7 z`;
      return element('path', { d, fill: START }, tip(`${name} starts`));
    });
  }

  private refusals(): string[] {
    const refused = this.history.fenced.filter(({ accepted }) => !accepted);
    return refused.map(({ at, process, term }) => {
      const dot = { cx: this.x(at), cy: this.y(process) + 14, r: 4, fill: FAULT };
      return element('circle', dot, tip(`Redis refuses a write of term ${term}`));
    });
  }

  private mark({ at, process, promise, what }: Violation): string[] {
    if (at === null) return [];
    const x = this.x(at);
    const label = tip(`${promise}: ${what}`);
    // Without a process it concerns all of them.
    const [y1, y2] = process === null ? [TOP, this.bottom] : [this.y(process), this.y(process) + ROW];
    return [
      element('line', { x1: x, y1, x2: x, y2, stroke: VIOLATION, 'stroke-width': 1.5 }, label),
      element('circle', { cx: x, cy: y2 - 5, r: 4, fill: VIOLATION }, label),
    ];
  }

  /** The violations in words, and the height of the picture. */
  private listed(): { readonly list: string[]; readonly height: number } {
    const { violations } = this.findings;
    const shown = firstOfEach(violations, MAX_LISTED);
    const lines = shown.map(({ at, process, promise, what }) => {
      const when = at === null ? '' : `${((at - this.span.from) / 1_000).toFixed(3)} s: `;
      return `${promise}: ${when}${what}${process === null ? '' : ` (${process})`}`;
    });
    const more = violations.length - shown.length;
    if (more > 0) lines.push(`and ${more} more`);
    const top = this.bottom + 48;
    const list = lines.map((line, i) => text(16, top + i * LINE, line, { class: 'broken' }));
    return { list, height: top + lines.length * LINE + 4 };
  }
}

function legend(): string {
  const entries: readonly (readonly [colour: string, meaning: string])[] = [
    [COLOURS[0]!, 'master, commands, by term'],
    [CALLBACKS, 'callbacks'],
    [STALL, 'event loop blocked'],
    [START, 'start'],
    [FAULT, 'fault, refused write'],
    [VIOLATION, 'violation'],
  ];
  let x = WIDTH - RIGHT;
  const parts = entries.toReversed().map(([fill, meaning]) => {
    x -= meaning.length * CHARACTER + 30;
    const mark = element('rect', { x, y: 18, width: 12, height: 12, rx: 2, fill });
    return `${mark}${text(x + 17, 28, meaning, { class: 'small' })}`;
  });
  return parts.join('');
}
