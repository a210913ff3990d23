import { useEffect, useMemo } from 'preact/hooks';
import { clusterApi } from '../api/cluster-api.js';
import type { AuditEntry } from '../api/cluster-types.js';
import { PagedAnswer } from '../api/paged-answer.js';
import { processName } from '../overview/process-text.js';
import { namedWorker } from '../overview/workers.js';
import { route } from '../shell/router.js';
import { now } from '../time/clock.js';
import { formatDay, formatInstant, formatTime, instantOf } from '../time/instant.js';
import { RangeSelect } from '../time/period-fields.js';
import { fromOf, rangeOf } from '../time/period.js';
import { Badge } from '../ui/badge.js';
import { Disclosure } from '../ui/disclosure.js';
import { EmptyState } from '../ui/empty-state.js';
import { ExportButtons } from '../ui/export-buttons.js';
import { FilterBar } from '../ui/filter-bar.js';
import { MoreButton } from '../ui/more-button.js';
import { Problem } from '../ui/notice.js';
import { SelectField } from '../ui/select-field.js';
import { asSentence } from '../wording/as-sentence.js';
import { phraseText } from '../wording/phrase.js';
import './event-timeline.css';
import { actionSentence, OPERATOR_ACTIONS } from './operator-actions.js';

/** Entries that each question asks for. */
const PAGE = 100;

/** Characters that may not fit into a line. */
const LONG = 60;

const ACTIONS = Object.entries(OPERATOR_ACTIONS).map(
  ([action, { done }]) => [action, asSentence(done)] as const,
);

/** What operators did, and tried to do. */
export function AuditTrail() {
  const { parameters } = route.value;
  const { text = '', action = '' } = parameters;
  const range = rangeOf(parameters);
  const trail = useMemo(() => new PagedAnswer(clusterApi.audit), []);
  const query = useMemo(() => ({ text, action, from: fromOf(range, now.peek()) }), [text, action, range]);
  useEffect(() => void trail.begin({ limit: PAGE, ...query }), [query]);
  const items = trail.items.value;
  return (
    <>
      <FilterBar
        label="Filter the audit trail"
        searches="Text in the name of an operator or of a target"
        placeholder="Operator, camera, worker"
      >
        <SelectField label="Action" parameter="action" options={[['', 'All actions'], ...ACTIONS]} />
        <RangeSelect none="Any time" />
        <ExportButtons list="audit" query={query} />
      </FilterBar>
      {items?.length === 0 && (
        <EmptyState title="No action matches">
          Each change by the page or the API is recorded, and each one that was refused.
        </EmptyState>
      )}
      {items !== null && items.length > 0 && (
        <ol class="panel event-timeline event-audit" aria-label="Actions, newest first">
          {items.map((entry) => (
            <Line key={entry.entryId} entry={entry} />
          ))}
        </ol>
      )}
      <div role="status">
        <Problem of={trail}>The audit trail is not available.</Problem>
      </div>
      <MoreButton list={trail}>Show older actions</MoreButton>
    </>
  );
}

function Line({ entry }: { readonly entry: AuditEntry }) {
  const { at: iso, by, address, processId, action, status, problem, before, after } = entry;
  const target = entry.target === null ? null : namedWorker(entry.target);
  const at = instantOf(iso) ?? 0;
  const sentence = actionSentence(by, action, target, problem);
  const whole = phraseText(sentence);
  return (
    <li>
      <time class="muted" dateTime={iso} title={formatInstant(at)}>
        {formatDay(at)} {formatTime(at)}
      </time>
      <span class="event-kind">
        <Badge tone={problem === null ? 'ok' : 'warn'} title={`The answer had the status ${status}`}>
          {problem === null ? 'Done' : status < 500 ? 'Refused' : 'Failed'}
        </Badge>
      </span>
      <div class="event-sentence">
        <Disclosure summary={<bdi class="event-short">{whole}</bdi>}>
          {() => (
            <>
              <p>
                From <bdi class="mono">{address}</bdi> by process <bdi>{processName(processId)}</bdi>.
              </p>
              {whole.length > LONG && <p dir="auto">{whole}</p>}
              {before !== null && <Values name="Before" value={before} />}
              {after !== null && <Values name="After" value={after} />}
            </>
          )}
        </Disclosure>
      </div>
    </li>
  );
}

function Values({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <>
      <h3>{name}</h3>
      <pre class="mono" dir="auto" tabIndex={0}>
        {JSON.stringify(value, null, 2)}
      </pre>
    </>
  );
}
