import type { Answer } from '../api/answer.js';
import type { Outage } from '../feed/feed-store.js';
import { formatInstant, formatTime, instantOf } from '../time/instant.js';
import { Button } from './button.js';
import './ui.css';

/** The time of an answer, and a button to refresh it. */
export function AsOf({ answer }: { readonly answer: Pick<Answer<unknown>, 'at' | 'loading' | 'load'> }) {
  const at = answer.at.value;
  return (
    <div class="as-of">
      {at !== null && (
        <span class="muted" title={formatInstant(at)}>
          As of {formatTime(at)}
        </span>
      )}
      <Button icon="refresh" size="small" busy={answer.loading.value} onClick={() => void answer.load()}>
        Refresh
      </Button>
    </div>
  );
}

/** The time of figures that cannot be updated during an outage; null: they are up to date. */
export function asOfOutage(outage: Outage | null): string | null {
  if (outage === null) return null;
  const at = instantOf(outage.since);
  return at === null ? 'Not up to date' : `As of ${formatTime(at)}`;
}
