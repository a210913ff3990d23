import { z } from 'zod';
import { readJson } from '../../stores/read-json.js';

/** Maximum number of workers with a line of their own. The others count in the mean and the highest load. */
export const MAX_LINES = 64;

/** Longest URL of a worker with a line. Characters. */
export const MAX_URL_LENGTH = 256;

/** After this time without its worker, a line may be given to another one, because no record refers to the old one any more. Hours. */
const KEPT = 25;

const HOUR = 3_600_000;

const stored = z
  .array(z.object({ url: z.string().max(MAX_URL_LENGTH), seen: z.int().nonnegative() }))
  .max(MAX_LINES);

type Line = z.infer<typeof stored>[number];

/** The worker of each index in the loads of a record. Records contain indexes because workers come and go. */
export class WorkerLines {
  private readonly lines: Line[];

  /** @param text the result of {@link encode}; null or any other text: no line is known */
  constructor(text: string | null) {
    this.lines = readJson(stored, text) ?? [];
  }

  /** URL of the worker of each line. */
  get urls(): readonly string[] {
    return this.lines.map(({ url }) => url);
  }

  /** Loads by line. A worker without a line gets one, as long as there are free lines. @param now milliseconds since 1970 */
  arrange(loads: ReadonlyMap<string, number | null>, now: number): (number | null)[] {
    const hour = Math.floor(now / HOUR);
    const known = new Map(this.lines.map((line) => [line.url, line]));
    for (const url of Array.from(loads.keys()).sort()) {
      const line = known.get(url);
      if (line !== undefined) line.seen = hour;
      else if (url.length <= MAX_URL_LENGTH) this.assign(url, hour);
    }
    return this.lines.map(({ url }) => loads.get(url) ?? null);
  }

  /** Changes once an hour, and with each new worker. */
  encode(): string {
    return JSON.stringify(this.lines);
  }

  private assign(url: string, hour: number): void {
    const line = { url, seen: hour };
    if (this.lines.length < MAX_LINES) this.lines.push(line);
    else {
      const free = this.lines.findIndex(({ seen }) => seen < hour - KEPT);
      if (free !== -1) this.lines[free] = line;
    }
  }
}
