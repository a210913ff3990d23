import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Answer } from '../api/answer.js';
import { clusterApi } from '../api/cluster-api.js';
import { AsOf } from '../ui/as-of.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import { Notice } from '../ui/notice.js';
import { askToDrop, askToReplay } from './ask-letters.js';
import './dead-letters-page.css';
import { LetterRow } from './letter-row.js';
import { letters as lettersText, type LetterIds, type LetterOutcome } from './letter-actions.js';
import { readLetters } from './read-letters.js';

/** How many more letters each click shows. */
const STEP = 100;

export function DeadLettersPage() {
  const wanted = useSignal(STEP);
  const answer = useMemo(() => new Answer(() => readLetters(clusterApi.deadLetters, wanted.value)), [wanted]);
  useEffect(() => void answer.load(), [answer]);
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const outcome = useSignal<LetterOutcome | null>(null);

  const { letters, more } = answer.value.value ?? { letters: [], more: false };
  const selected = letters
    .filter(({ letterId }) => chosen.value.has(letterId))
    .map(({ letterId }) => letterId);
  const all = letters.length > 0 && selected.length === letters.length;
  const done = (result: LetterOutcome | null) => {
    if (result !== null) outcome.value = result;
    void answer.load();
  };
  const choose = (ids: readonly string[]) => (chosen.value = new Set(ids));

  return (
    <div class="page">
      <div class="page-header">
        <div>
          <h1>Dead letters</h1>
          <p class="muted">
            Detections that cannot be read or whose callbacks failed after all retries, oldest first. The
            newest 10,000 are kept.
          </p>
        </div>
        <AsOf answer={answer} />
      </div>
      <div role="status" class="dead-letters-status">
        {answer.problem.value !== null && (
          <Notice tone="warn">The dead letters are not available. {answer.problem.value}</Notice>
        )}
        {outcome.value !== null && <Outcome outcome={outcome.value} />}
      </div>
      {letters.length === 0 ? (
        <div class="panel">
          {answer.value.value === null ? (
            <EmptyState title={answer.loading.value ? 'Loading…' : 'No data'} icon="clock" />
          ) : (
            <EmptyState title="No dead letters" icon="check">
              All detections could be read, and no callback failed after all retries.
            </EmptyState>
          )}
        </div>
      ) : (
        <section class="panel" aria-label="Dead letters">
          <div class="letters-bar">
            <label class="letters-all">
              <input
                type="checkbox"
                checked={all}
                indeterminate={!all && selected.length > 0}
                onChange={() => choose(all ? [] : letters.map(({ letterId }) => letterId))}
              />
              {selected.length === 0
                ? `${lettersText(letters.length)} shown`
                : `${lettersText(selected.length)} selected`}
            </label>
            <Actions selected={selected} done={done} />
          </div>
          <ul class="letters">
            {letters.map((letter) => (
              <LetterRow
                key={letter.letterId}
                letter={letter}
                selected={chosen.value.has(letter.letterId)}
                onSelect={(is) =>
                  choose(
                    is ? [...selected, letter.letterId] : selected.filter((id) => id !== letter.letterId),
                  )
                }
              />
            ))}
          </ul>
        </section>
      )}
      {more && (
        <div class="actions">
          <Button
            busy={answer.loading.value}
            onClick={() => {
              wanted.value += STEP;
              void answer.load();
            }}
          >
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}

interface ActionsProps {
  readonly selected: readonly string[];
  readonly done: (outcome: LetterOutcome | null) => void;
}

/** Actions on the selected letters, or on all. */
function Actions({ selected, done }: ActionsProps) {
  const ids: LetterIds = selected.length === 0 ? 'all' : selected;
  const which = ids === 'all' ? 'all' : 'selected';
  return (
    <div class="actions">
      <Button size="small" icon="play" onClick={() => askToReplay(ids, done)}>
        Replay {which}…
      </Button>
      <Button size="small" icon="cross" onClick={() => askToDrop(ids, done)}>
        Drop {which}…
      </Button>
    </div>
  );
}

function Outcome({ outcome: { text, left } }: { readonly outcome: LetterOutcome }) {
  return (
    <Notice tone={left.length === 0 ? 'ok' : 'warn'}>
      {text}
      {left.length > 0 && (
        <details>
          <summary>Remaining letters</summary>
          <ul class="mono">
            {left.map((id) => (
              <li key={id}>{id}</li>
            ))}
          </ul>
        </details>
      )}
    </Notice>
  );
}
