import { SILENCE } from '@detector-cluster/dashboard-protocol';
import { effect, signal } from '@preact/signals';
import { feed } from '../../feed/feed.js';
import { RateHistory } from './rate-history.js';
import { UsageHistory } from './usage-history.js';

/** Two minutes and ten minutes, at one sample per second. */
const USAGE_SAMPLES = 120;
const RATE_SAMPLES = 600;

export const usageHistory = new UsageHistory(USAGE_SAMPLES);
export const rateHistory = new RateHistory(RATE_SAMPLES, SILENCE);

/** Changes with each sample. */
export const sampled = signal(0);

/** Takes a sample with each message of the service, on any page. */
export function startHistories(): void {
  effect(() => {
    const { value: at } = feed.at;
    if (at === '') return;
    usageHistory.record(feed.workers.peek());
    rateHistory.record(Date.parse(at), feed.processes.peek());
    sampled.value = sampled.peek() + 1;
  });
}
