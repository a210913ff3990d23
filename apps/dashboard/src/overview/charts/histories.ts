import { effect, signal } from '@preact/signals';
import { feed } from '../../feed/feed.js';
import { UsageHistory } from './usage-history.js';

/** Two minutes, at one sample per second. */
const USAGE_SAMPLES = 120;

export const usageHistory = new UsageHistory(USAGE_SAMPLES);

/** Changes with each sample. */
export const sampled = signal(0);

/** Takes a sample with each message of the service, on any page. */
export function startHistories(): void {
  effect(() => {
    if (feed.at.value === '') return;
    usageHistory.record(feed.workers.peek());
    sampled.value = sampled.peek() + 1;
  });
}
