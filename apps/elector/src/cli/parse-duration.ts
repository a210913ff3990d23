import { MAX_TIMER } from '@detector-cluster/election/internal';
import { InvalidArgumentError } from 'commander';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * Reads `500ms`, `30s`, `1.5m` or `1h` as milliseconds.
 * @throws InvalidArgumentError
 */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim()) ?? [];
  const duration = Math.round(Number(amount) * (UNITS[unit ?? ''] ?? NaN));
  if (Number.isNaN(duration))
    throw new InvalidArgumentError('give a number with a unit: 500ms, 30s, 5m or 1h');
  if (duration > MAX_TIMER) throw new InvalidArgumentError('give at most 24 days, 576h');
  return duration;
}

/** The same, of a time that must pass. */
export function parsePositiveDuration(text: string): number {
  const duration = parseDuration(text);
  if (duration === 0) throw new InvalidArgumentError('give more than 0');
  return duration;
}
