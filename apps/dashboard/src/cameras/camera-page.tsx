import type { EventItem, HistoryRange } from '@detector-cluster/dashboard-protocol';
import { useMemo } from 'preact/hooks';
import { clusterApi } from '../api/cluster-api.js';
import type { ListQuery, Page as PageOf } from '../api/paged-answer.js';
import { useLoaded } from '../api/use-answer.js';
import { DetectionList } from '../detections/detection-list.js';
import { mergeEvents } from '../events/merge-events.js';
import { feed } from '../feed/feed.js';
import { routeHref } from '../shell/route.js';
import { route } from '../shell/router.js';
import { reasonText, STATUS_NAMES } from '../subscriptions/reason-text.js';
import { StatusBadge, statusTone } from '../subscriptions/status-badge.js';
import { now } from '../time/clock.js';
import { formatInstant, formatTime, instantOf } from '../time/instant.js';
import { RangeSelect } from '../time/period-fields.js';
import { beginOf, rangeOf } from '../time/period.js';
import { Problem } from '../ui/notice.js';
import { Page, Section } from '../ui/page.js';
import { Text } from '../ui/text.js';
import './camera-page.css';
import type { CameraEntry } from './camera-list.js';
import { type Lane, timelineOf } from './camera-timeline.js';
import { cameras } from './cameras.js';

/** What the service gives at once; more detections than this are not on the axis. */
const MOST = 1_000;

/** Detections that are shown with their pictures. */
const SHOWN = 12;

/** Of all cameras. */
const SHARED =
  'worker-offline,worker-online,redis-unavailable,database-unavailable,database-available,master-acquired';

/** What happened to one camera, on one axis. Its name is in the address. */
export function CameraPage() {
  const { parameters } = route.value;
  const { id = '' } = parameters;
  const range = rangeOf(parameters) ?? '1h';
  const camera = cameras.value.find(({ cameraId }) => cameraId === id) ?? null;
  const current = feed.current.value;
  const answer = useLoaded(() => read(id, range), [id, range]);
  const known = answer.value.value;
  const lanes = useMemo(() => {
    if (known === null) return null;
    const { detections, ...stored } = known;
    const status = camera === null || !current ? null : statusOf(camera);
    const times = detections?.map(({ detectedAt }) => instantOf(detectedAt) ?? known.from) ?? null;
    const workerUrl = camera?.workerUrl ?? '';
    return timelineOf({ ...stored, cameraId: id, detections: times, workerUrl, status });
  }, [known, camera, current, id]);
  return (
    <Page
      title={<Text value={id} />}
      parent="cameras"
      beside={camera !== null && <StatusBadge status={camera.status} />}
      end={<RangeSelect usual={range} />}
    >
      <Problem of={answer}>The timeline is not available.</Problem>
      {known !== null && lanes !== null && <Timeline lanes={lanes} from={known.from} to={known.to} />}
      {known !== null && known.detections !== null && known.detections.length > 0 && (
        <Section
          title="Detections"
          end={
            <a href={routeHref('detections', { view: 'search', camera: id, range })}>All its detections</a>
          }
        >
          <DetectionList items={known.detections.slice(-SHOWN)} />
        </Section>
      )}
    </Page>
  );
}

async function read(camera: string, range: HistoryRange) {
  const to = now.peek();
  const begin = beginOf(range, to);
  const from = new Date(begin).toISOString();
  const [oldest, own, shared, stats] = await Promise.all([
    clusterApi.events({ sort: 'at', limit: 1 }),
    eventsOf({ text: camera, from }),
    eventsOf({ type: SHARED, from }),
    clusterApi.detectionStats(),
  ]);
  const found =
    stats.history === null ? null : await clusterApi.storedDetections({ camera, from, limit: MOST });
  return {
    from: begin,
    to,
    keptFrom: instantOf(oldest.items[0]?.at ?? '') ?? to,
    events: mergeEvents(own, shared),
    detections: found?.items.toReversed() ?? null,
  };
}

async function eventsOf(query: ListQuery): Promise<readonly EventItem[]> {
  const events: EventItem[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: PageOf<EventItem> = await clusterApi.events({ ...query, sort: 'at', limit: MOST, cursor });
    events.push(...page.items);
    cursor = page.nextCursor;
  }
  return events;
}

function statusOf({ reason, since, status }: CameraEntry) {
  const from = instantOf(since);
  const label = `${STATUS_NAMES[status]}: ${reasonText(reason)}`;
  return from === null ? null : { from, label, tone: statusTone(status) };
}

interface TimelineProps {
  readonly lanes: readonly Lane[];
  readonly from: number;
  readonly to: number;
}

/** The axis has so many units. */
const WIDTH = 1_000;

function Timeline({ lanes, from, to }: TimelineProps) {
  const x = (at: number) => ((at - from) / (to - from)) * WIDTH;
  return (
    <dl class="timeline panel">
      {lanes.map(({ name, spans }) => (
        <div key={name} class="timeline-lane">
          <dt>{name}</dt>
          <dd>
            <svg viewBox={`0 0 ${WIDTH} 20`} preserveAspectRatio="none" aria-hidden="true">
              {spans.map((span) => (
                <rect
                  key={`${span.label} ${span.from}`}
                  class={`timeline-${span.tone}`}
                  x={Math.min(WIDTH - 2, x(span.from))}
                  width={Math.max(2, x(span.to) - x(span.from))}
                  height={20}
                >
                  <title>{textOf(span)}</title>
                </rect>
              ))}
            </svg>
            <p class="muted timeline-last">{summaryOf(spans)}</p>
          </dd>
        </div>
      ))}
      <div class="timeline-lane muted">
        <dt>{formatTime(from)}</dt>
        <dd class="timeline-end">{formatTime(to)}</dd>
      </div>
    </dl>
  );
}

function textOf({ from, to, label }: Lane['spans'][number]): string {
  return from === to
    ? `${label}: ${formatInstant(from)}`
    : `${label}: ${formatInstant(from)} to ${formatTime(to)}`;
}

/** The newest in words. */
function summaryOf(spans: Lane['spans']): string {
  const last = spans.reduce<Lane['spans'][number] | null>(
    (newest, span) => (newest === null || span.to >= newest.to ? span : newest),
    null,
  );
  if (last === null) return 'Nothing is recorded.';
  return spans.length === 1
    ? textOf(last)
    : `${spans.length.toLocaleString('en-GB')}; the last: ${textOf(last)}`;
}
