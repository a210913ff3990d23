import { SPARK_HEIGHT, SPARK_WIDTH, sparkPath } from '../charts/spark-path.js';
import { sampled, usageHistory } from '../charts/histories.js';
import type { Usage } from '../charts/usage-history.js';

/** So many samples fill the width while there are no more. */
const LEAST = 30;

export interface UsageLineProps {
  readonly name: string;
  readonly url: string;
  readonly usage: Usage;
  /** Percent; null: not reported. */
  readonly value: number | null;
}

/** One of a worker's figures and how it was of late. */
export function UsageLine({ name, url, usage, value }: UsageLineProps) {
  return (
    <div class="usage">
      <dt class="usage-name">{name}</dt>
      <dd class="usage-spark">
        <Spark url={url} usage={usage} />
      </dd>
      <dd class={value !== null && value >= 90 ? 'usage-value usage-high' : 'usage-value'}>
        {value === null ? <span title="The worker does not report it">–</span> : `${value} %`}
      </dd>
    </div>
  );
}

function Spark({ url, usage }: Pick<UsageLineProps, 'url' | 'usage'>) {
  // A new sample is a new line.
  void sampled.value;
  const samples = usageHistory.of(url, usage);
  const path = sparkPath(samples, Math.max(LEAST, samples.length));
  return (
    <svg viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
