import type { Answer } from '../api/answer.js';
import { formatInstant, formatTime } from '../format/instant.js';
import './as-of.css';
import { Button } from './button.js';

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
