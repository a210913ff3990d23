import type { Impact } from '../api/entries-api.js';
import { Notice } from '../ui/notice.js';
import { Say } from '../wording/say.js';
import { impactSentences } from './impact-text.js';

/** What a change will do to the subscriptions. */
export function ImpactView({ impact }: { readonly impact: Impact }) {
  const { problem, skipped, skippedTotal } = impact;
  return (
    <section class="impact" aria-label="What will happen">
      <h3>What will happen</h3>
      <ul>
        {impactSentences(impact).map((sentence, index) => (
          <li key={index}>
            <Say parts={sentence} />
          </li>
        ))}
      </ul>
      {skipped.length > 0 && (
        <details>
          <summary>Displays without a subscription</summary>
          <ul>
            {skipped.map(({ displayId, detail }) => (
              <li key={displayId}>
                <bdi>{displayId}</bdi>: <bdi class="muted">{detail}</bdi>
              </li>
            ))}
            {skippedTotal > skipped.length && (
              <li class="muted">and {(skippedTotal - skipped.length).toLocaleString('en-GB')} more</li>
            )}
          </ul>
        </details>
      )}
      {problem !== null && (
        <Notice tone="warn">
          The master cannot say on which workers: {problem}. The change can be saved.
        </Notice>
      )}
    </section>
  );
}
