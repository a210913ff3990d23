import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Answer } from '../api/answer.js';
import { clusterApi } from '../api/cluster-api.js';
import { PagedAnswer } from '../api/paged-answer.js';
import { feed } from '../feed/feed.js';
import { processNames } from '../overview/process-text.js';
import { replaceParameters, route } from '../shell/router.js';
import { now } from '../time/clock.js';
import { PeriodFields } from '../time/period-fields.js';
import { periodOf, periodProblem, periodQuery } from '../time/period.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import { ExportButtons } from '../ui/export-buttons.js';
import '../ui/filter-bar.css';
import { Notice } from '../ui/notice.js';
import { counted } from '../wording/counted.js';
import { DetectionList } from './detection-list.js';
import './detections.css';

/** Detections that each question asks for. */
const PAGE = 48;

/** Finds detections of the whole cluster in the database of the service, where it keeps them. */
export function SearchDetections() {
  const { page, parameters } = route.value;
  const { camera = '', label = '' } = parameters;
  const period = periodOf(parameters);
  const periodIsWrong = periodProblem(period);
  const search = useMemo(() => new PagedAnswer(clusterApi.storedDetections), []);
  const stats = useMemo(() => new Answer(clusterApi.detectionStats), []);
  const query = {
    ...(camera !== '' && { camera }),
    ...(label !== '' && { label }),
    ...periodQuery(period, now.peek()),
  };
  const find = () => {
    if (periodIsWrong !== null) return search.clear();
    void stats.load();
    void search.begin({ limit: PAGE, ...query });
  };
  useEffect(find, [camera, label, period.range, period.from, period.to]);
  const show = (part: Readonly<Record<string, string>>) =>
    replaceParameters(page, { view: 'search', camera, label, ...period, range: period.range ?? '', ...part });
  const items = periodIsWrong === null ? search.items.value : null;
  const dropped = stats.value.value?.history?.dropped ?? 0;
  return (
    <>
      <SearchForm
        key={`${camera}\n${label}`}
        camera={camera}
        label={label}
        busy={search.loading.value}
        onSearch={(wanted) => {
          // The address does not change, so that nothing else would begin the search.
          if (wanted.camera === camera && wanted.label === label) find();
          else show({ ...wanted });
        }}
      >
        <PeriodFields period={period} onChange={show} />
      </SearchForm>
      <div role="status" class="search-status">
        {periodIsWrong !== null && <Notice tone="warn">{periodIsWrong}</Notice>}
        {periodIsWrong === null && search.problem.value !== null && (
          <Notice tone="warn">The detections cannot be searched. {search.problem.value}</Notice>
        )}
        {dropped > 0 && (
          <Notice tone="warn">
            The process that serves this page could not keep {dropped.toLocaleString('en-GB')} detections
            since its start: the database was unavailable or too slow.
          </Notice>
        )}
        {items !== null && items.length > 0 && (
          <p class="muted">
            {search.more.value
              ? `The newest ${items.length.toLocaleString('en-GB')} are shown. Older ones match, too.`
              : counted(items.length, 'match', 'matches')}
          </p>
        )}
        {items !== null && items.length > 0 && (
          <div class="actions">
            <ExportButtons list="detections" query={query} />
          </div>
        )}
      </div>
      {items?.length === 0 && (
        <div class="panel">
          <EmptyState title="No detection matches" icon="search">
            The service keeps detections for a limited time.
          </EmptyState>
        </div>
      )}
      {items !== null && items.length > 0 && (
        <DetectionList items={items.toReversed()} names={processNames(feed.processes.value)} />
      )}
      {items !== null && search.more.value && (
        <div class="actions">
          <Button busy={search.loading.value} onClick={() => void search.next()}>
            Show older detections
          </Button>
        </div>
      )}
    </>
  );
}

interface Wanted {
  readonly camera: string;
  readonly label: string;
}

interface SearchFormProps extends Wanted {
  readonly busy: boolean;
  readonly onSearch: (wanted: Wanted) => void;
  readonly children: ComponentChildren;
}

function SearchForm({ busy, onSearch, children, ...known }: SearchFormProps) {
  const [camera, setCamera] = useState(known.camera);
  const [label, setLabel] = useState(known.label);
  return (
    <form
      class="filter-bar search-form"
      role="search"
      aria-label="Search detections"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch({ camera: camera.trim(), label: label.trim() });
      }}
    >
      <WantedField label="Camera" placeholder="Exact name" most={256} value={camera} onInput={setCamera} />
      <WantedField
        label="Plate or label"
        placeholder="All or a part of it"
        most={128}
        value={label}
        onInput={setLabel}
      />
      {children}
      <Button type="submit" tone="primary" busy={busy}>
        Search
      </Button>
    </form>
  );
}

interface WantedFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** Most characters. */
  readonly most: number;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function WantedField({ label, placeholder, most, value, onInput }: WantedFieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        type="text"
        value={value}
        maxLength={most}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}
