import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { confirmAction } from '../actions/confirm-dialog.js';
import { clusterApi } from '../api/cluster-api.js';
import type { DeadLetter } from '../api/cluster-types.js';
import { PagedAnswer } from '../api/paged-answer.js';
import { processName } from '../overview/process-text.js';
import { WorkerLink } from '../overview/worker-link.js';
import { routeHref } from '../shell/route.js';
import { route } from '../shell/router.js';
import { AgeOf } from '../time/age-of.js';
import { now } from '../time/clock.js';
import { PeriodFields } from '../time/period-fields.js';
import { periodOf, periodProblem, periodQuery } from '../time/period.js';
import { Button } from '../ui/button.js';
import { Id } from '../ui/copy-button.js';
import { Disclosure } from '../ui/disclosure.js';
import { EmptyState } from '../ui/empty-state.js';
import { Facts } from '../ui/facts.js';
import { FilterBar } from '../ui/filter-bar.js';
import { MoreButton } from '../ui/more-button.js';
import { Notice, Problem } from '../ui/notice.js';
import { Page } from '../ui/page.js';
import { Text } from '../ui/text.js';
import { counted } from '../wording/counted.js';
import './dead-letters-page.css';
import { type LetterIds, actOnLetters } from './letter-actions.js';

/** Letters that each question asks for. */
const PAGE = 100;

export function DeadLettersPage() {
  const { parameters } = route.value;
  const { text = '' } = parameters;
  const period = periodOf(parameters);
  const periodIsWrong = periodProblem(period);
  const filtered = text !== '' || period.range !== null || period.from + period.to !== '';
  const list = useMemo(() => new PagedAnswer(clusterApi.deadLetters), []);
  const reload = () => {
    if (periodIsWrong !== null) return list.clear();
    void list.begin({ limit: PAGE, text, ...periodQuery(period, now.peek()) });
  };
  useEffect(reload, [text, period.range, period.from, period.to]);
  const chosen = useSignal<ReadonlySet<string>>(new Set());

  const letters = list.items.value ?? [];
  const selected = letters
    .filter(({ letterId }) => chosen.value.has(letterId))
    .map(({ letterId }) => letterId);
  const all = letters.length > 0 && selected.length === letters.length;
  const choose = (ids: readonly string[]) => (chosen.value = new Set(ids));

  return (
    <Page
      title="Dead letters"
      note="Detections that cannot be read or whose callbacks failed after all retries. The newest 1,000 of each partition are kept, and the newest 1,000 of all listeners together."
      end={
        <Button icon="refresh" size="small" busy={list.loading.value} onClick={reload}>
          Refresh
        </Button>
      }
    >
      <FilterBar label="Filter dead letters" searches="Text in the error" placeholder="Error">
        <PeriodFields />
      </FilterBar>
      <div role="status" class="dead-letters-status">
        {periodIsWrong !== null && <Notice tone="warn">{periodIsWrong}</Notice>}
        <Problem of={list}>The dead letters are not available.</Problem>
      </div>
      {list.items.value === null ? (
        <EmptyState title={list.loading.value ? 'Loading…' : 'No data'} icon="clock" />
      ) : letters.length === 0 && filtered ? (
        <EmptyState title="No dead letter matches the filter" icon="search" />
      ) : letters.length === 0 ? (
        <EmptyState title="No dead letters" icon="check">
          All detections could be read, and no callback failed after all retries.
        </EmptyState>
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
                ? `${counted(letters.length, 'letter')} shown`
                : `${counted(selected.length, 'letter')} selected`}
            </label>
            <Actions
              selected={selected}
              shown={filtered ? letters.map(({ letterId }) => letterId) : null}
              done={reload}
            />
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
      <MoreButton list={list}>Show more</MoreButton>
    </Page>
  );
}

interface ActionsProps {
  readonly selected: readonly string[];
  /** The letters that are shown, if others may be left out. */
  readonly shown: readonly string[] | null;
  /** The list may have changed. */
  readonly done: () => void;
}

/** Actions on the selected letters, on those that are shown, or on all. */
function Actions({ selected, shown, done }: ActionsProps) {
  const ids: LetterIds = selected.length > 0 ? selected : (shown ?? 'all');
  const which = ids === 'all' ? 'all' : ids === selected ? 'selected' : 'shown';
  return (
    <div class="actions">
      {(['replay', 'drop'] as const).map((act) => (
        <Button key={act} changes size="small" icon={ACTS[act].icon} onClick={() => ask(act, ids, done)}>
          {ACTS[act].verb} {which}…
        </Button>
      ))}
    </div>
  );
}

const ACTS = {
  replay: {
    verb: 'Replay',
    icon: 'play',
    tone: 'primary',
    call: clusterApi.replay,
    about:
      'The detections are delivered again, in order and marked as redelivered. Fix the cause first: a detection that fails again becomes a new letter.',
  },
  drop: {
    verb: 'Drop',
    icon: 'cross',
    tone: 'danger',
    call: clusterApi.drop,
    about: 'They are removed permanently. The failed callbacks never receive these detections.',
  },
} as const;

function ask(act: keyof typeof ACTS, ids: LetterIds, done: () => void): void {
  const { verb, tone, call, about } = ACTS[act];
  confirmAction({
    title: ids === 'all' ? `${verb} all dead letters?` : `${verb} ${counted(ids.length, 'letter')}?`,
    body: () => (
      <p>
        {about}
        {ids === 'all' && ' This includes letters that are not shown here.'}
      </p>
    ),
    confirm: verb,
    tone,
    run: () => actOnLetters(act, call, ids).finally(done),
  });
}

/** Whose callbacks failed. */
const AUDIENCES: Readonly<Record<string, string>> = {
  owner: 'callbacks of the owner',
  listener: 'listeners of the subscription',
};

interface LetterRowProps {
  readonly letter: DeadLetter;
  readonly selected: boolean;
  readonly onSelect: (selected: boolean) => void;
}

function LetterRow({ letter, selected, onSelect }: LetterRowProps) {
  const { attempts, error, failedAt, letterId } = letter;
  const subscription = letter.subscriptionIdentifier;
  return (
    <li>
      <input
        type="checkbox"
        aria-label={`Select the letter ${letterId}`}
        checked={selected}
        onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
      />
      <Disclosure
        summary={
          <>
            <span class="letter-subscription">
              {subscription === null ? <span class="muted">Unreadable</span> : <Text value={subscription} />}
            </span>
            <span class="letter-error">
              <Text value={firstLine(error)} />
            </span>
            <span class="muted letter-when">
              {counted(attempts, 'attempt')}, <AgeOf iso={failedAt} /> ago
            </span>
          </>
        }
      >
        {() => <LetterBody letter={letter} />}
      </Disclosure>
    </li>
  );
}

function LetterBody({ letter }: Pick<LetterRowProps, 'letter'>) {
  const { audience, detectionId, error, frame, letterId, processId, workerUrl } = letter;
  const subscription = letter.subscriptionIdentifier;
  return (
    <>
      <h3>Error</h3>
      <pre class="mono" dir="auto" tabIndex={0}>
        {error === '' ? '(none)' : error}
      </pre>
      <h3>Message from the worker</h3>
      <pre class="mono" dir="auto" tabIndex={0}>
        {frame}
      </pre>
      <Facts
        of={{
          Letter: <Id text={letterId} what="the id of the letter" />,
          Detection: <Id text={detectionId} what="the id of the detection" />,
          'Failed in': (
            <>
              <bdi>{processName(processId)}</bdi>, {AUDIENCES[audience] ?? audience}
            </>
          ),
          Worker: <WorkerLink url={workerUrl} />,
        }}
      />
      {subscription !== null && (
        <p>
          <a href={routeHref('subscriptions', { explain: subscription })}>Explain the subscription</a>
        </p>
      )}
    </>
  );
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}
