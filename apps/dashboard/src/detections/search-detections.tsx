import { useEffect, useMemo } from 'preact/hooks';
import { Answer } from '../api/answer.js';
import { clusterApi } from '../api/cluster-api.js';
import { PagedAnswer } from '../api/paged-answer.js';
import { route } from '../shell/router.js';
import { now } from '../time/clock.js';
import { PeriodFields } from '../time/period-fields.js';
import { periodOf, periodProblem, periodQuery } from '../time/period.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import { ExportButtons } from '../ui/export-buttons.js';
import { FilterBar } from '../ui/filter-bar.js';
import { MoreButton } from '../ui/more-button.js';
import { Notice, Problem } from '../ui/notice.js';
import { SearchField } from '../ui/search-field.js';
import { counted } from '../wording/counted.js';
import { DetectionList } from './detection-list.js';
import './detections.css';

/** Detections that each question asks for. */
const PAGE = 48;

/** Finds detections of the whole cluster in the database of the service, where it keeps them. */
export function SearchDetections() {
  const { parameters } = route.value;
  const { camera = '', label = '' } = parameters;
  const period = periodOf(parameters);
  const periodIsWrong = periodProblem(period);
  const search = useMemo(() => new PagedAnswer(clusterApi.storedDetections), []);
  const stats = useMemo(() => new Answer(clusterApi.detectionStats), []);
  const query = { camera: camera.trim(), label: label.trim(), ...periodQuery(period, now.peek()) };
  const find = () => {
    if (periodIsWrong !== null) return search.clear();
    void stats.load();
    void search.begin({ limit: PAGE, ...query });
  };
  useEffect(find, [camera, label, period.range, period.from, period.to]);
  const items = periodIsWrong === null ? search.items.value : null;
  const dropped = stats.value.value?.history?.dropped ?? 0;
  return (
    <>
      <FilterBar
        label="Search detections"
        searches="Plate or label"
        placeholder="Plate or label, or a part of it"
        parameter="label"
      >
        <SearchField label="Camera" placeholder="Camera, exact name" parameter="camera" />
        <PeriodFields />
        <Button icon="refresh" busy={search.loading.value} onClick={find}>
          Refresh
        </Button>
      </FilterBar>
      <div role="status" class="search-status">
        {periodIsWrong !== null && <Notice tone="warn">{periodIsWrong}</Notice>}
        <Problem of={search}>The detections cannot be searched.</Problem>
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
        <EmptyState title="No detection matches" icon="search">
          The service keeps detections for a limited time.
        </EmptyState>
      )}
      {items !== null && items.length > 0 && <DetectionList items={items.toReversed()} />}
      <MoreButton list={search}>Show older detections</MoreButton>
    </>
  );
}
