import type { DetectionItem } from '@detector-cluster/dashboard-protocol';
import { useSignal } from '@preact/signals';
import { feed } from '../feed/feed.js';
import { route } from '../shell/router.js';
import { now } from '../time/clock.js';
import { instantOf } from '../time/instant.js';
import { RangeSelect } from '../time/period-fields.js';
import { rangeOf, withinRange } from '../time/period.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import { FilterBar } from '../ui/filter-bar.js';
import { Page, Views } from '../ui/page.js';
import { DetectionList } from './detection-list.js';
import './detections.css';
import { findDetections } from './live-detections.js';
import { SearchDetections } from './search-detections.js';

/** What the page showed when it was paused. */
interface Pause {
  readonly items: readonly DetectionItem[];
  readonly count: number;
}

export function DetectionsPage() {
  return (
    <Page
      title="Detections"
      end={
        <Views
          page="detections"
          views={[
            ['', 'Latest'],
            ['search', 'Search'],
          ]}
        />
      }
    >
      {route.value.parameters.view === 'search' ? <SearchDetections /> : <LiveDetections />}
    </Page>
  );
}

const APPEAR = 'Detections appear here when they reach the callbacks of the backend processes.';

/** The detections that this page was sent since it was opened, and a few before. */
function LiveDetections() {
  const { parameters } = route.value;
  const { text = '' } = parameters;
  const range = rangeOf(parameters);
  const pause = useSignal<Pause | null>(null);
  const kept = feed.detections.value;
  const recent = withinRange(
    pause.value?.items ?? kept,
    range,
    range === null ? 0 : now.value,
    ({ receivedAt }) => instantOf(receivedAt),
  );
  const found = findDetections(recent, text);
  const togglePause = () => {
    pause.value = pause.value === null ? { items: kept, count: feed.detectionCount.value } : null;
  };
  return (
    <>
      <FilterBar
        label="Filter detections"
        searches="Text in subscription, worker, process or detection"
        placeholder="Subscription, worker, content"
      >
        <RangeSelect none="Any time" />
        <Button icon={pause.value === null ? 'pause' : 'play'} onClick={togglePause}>
          {pause.value === null ? 'Pause' : 'Resume'}
        </Button>
        {pause.value !== null && <PausedCount since={pause.value.count} />}
      </FilterBar>
      {kept.length === 0 ? (
        <EmptyState title="No detections since this page was opened">{APPEAR}</EmptyState>
      ) : found.length === 0 ? (
        <EmptyState title="No detection matches the filter">{APPEAR}</EmptyState>
      ) : (
        <DetectionList items={found} />
      )}
    </>
  );
}

function PausedCount({ since }: { readonly since: number }) {
  const count = feed.detectionCount.value - since;
  return <span class="muted">Paused; {count.toLocaleString('en-GB')} new</span>;
}
