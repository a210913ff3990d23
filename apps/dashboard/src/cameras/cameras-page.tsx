import { feed } from '../feed/feed.js';
import { workerOptions } from '../overview/workers-section.js';
import { route } from '../shell/router.js';
import { STATUS_NAMES } from '../subscriptions/reason-text.js';
import { EmptyState } from '../ui/empty-state.js';
import { FilterBar } from '../ui/filter-bar.js';
import { Page } from '../ui/page.js';
import { SelectField } from '../ui/select-field.js';
import { useFirst } from '../ui/use-first.js';
import { CameraCard } from './camera-card.js';
import { filterCameras } from './camera-list.js';
import { cameras, camerasInOrder, modelOptions } from './cameras.js';

/** How many more cameras each click shows. */
const STEP = 60;

/** A wall of all cameras with their latest pictures. */
export function CamerasPage() {
  const { text = '', status = '', worker = '', model = '' } = route.value.parameters;
  const found = filterCameras(camerasInOrder.value, { text, status, worker, model });
  const { shown, more } = useFirst(found, STEP, 'cameras');
  const problems = found.filter((camera) => camera.status !== 'active').length;
  return (
    <Page
      title="Cameras"
      end={
        feed.subscriptionsKnown.value && (
          <p class="muted">
            {found.length.toLocaleString('en-GB')} found
            {problems > 0 && `, ${problems.toLocaleString('en-GB')} with a problem first`}
          </p>
        )
      }
    >
      <FilterBar label="Filter cameras" searches="Text in the name of a camera" placeholder="Camera">
        <SelectField
          label="Status"
          parameter="status"
          options={[['', 'All statuses'], ...Object.entries(STATUS_NAMES)]}
        />
        <SelectField
          label="Worker"
          parameter="worker"
          options={[['', 'All workers'], ...workerOptions.value]}
        />
        <SelectField label="Model" parameter="model" options={[['', 'All models'], ...modelOptions.value]} />
      </FilterBar>
      {!feed.subscriptionsKnown.value ? (
        <EmptyState title="Loading cameras" icon="clock">
          Waiting for the service to send the subscriptions.
        </EmptyState>
      ) : shown.length === 0 ? (
        <EmptyState title={cameras.value.length === 0 ? 'No cameras' : 'No camera matches the filter'}>
          Cameras appear here when a display or the application subscribes to them.
        </EmptyState>
      ) : (
        <ul class="cards" aria-label="Cameras">
          {shown.map((camera) => (
            <CameraCard key={camera.cameraId} camera={camera} />
          ))}
        </ul>
      )}
      {more}
    </Page>
  );
}
