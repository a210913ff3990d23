import { computed } from '@preact/signals';
import { feed } from '../../feed/feed.js';
import { byName } from './worker-order.js';

/** A text, because it equals the last one as long as the cluster has the same workers. */
const urls = computed(() => JSON.stringify(Object.keys(feed.workers.value)));

/** Sorting a thousand names takes longer than half a frame, and reports of workers arrive every second. */
const order = computed(() => (JSON.parse(urls.value) as string[]).sort(byName));

/** All workers, in the order of their names. */
export const workersInOrder = computed(() => order.value.map((url) => feed.workers.value[url]!));
