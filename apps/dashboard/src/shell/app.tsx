import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { ConfirmDialog } from '../actions/confirm-dialog.js';
import { CameraPage } from '../cameras/camera-page.js';
import { CamerasPage } from '../cameras/cameras-page.js';
import { DeadLettersPage } from '../detections/dead-letters-page.js';
import { DetectionsPage } from '../detections/detections-page.js';
import { EventsPage } from '../events/events-page.js';
import { feed, feedConnection } from '../feed/feed.js';
import { setApiKey } from '../feed/page-memory.js';
import { ManagePage } from '../manage/manage-page.js';
import { ModelsPage } from '../manage/models-page.js';
import { OverviewPage } from '../overview/overview-page.js';
import { workerName } from '../overview/workers.js';
import { Overlays } from './palette.js';
import { PlanPage } from '../plan/plan-page.js';
import { SubscriptionsPage } from '../subscriptions/subscriptions-page.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import { Icon } from '../ui/icon.js';
import { Toasts } from '../ui/toasts.js';
import { WorkerPage } from '../overview/worker-page.js';
import './app.css';
import { attempt, Banners } from './banners.js';
import { Header } from './header.js';
import { PAGE_TITLES } from './navigation.js';
import { FAILURES } from './outages.js';
import { routeHref, type PageName } from './route.js';
import { route } from './router.js';

const COMPONENTS: Readonly<Record<PageName, FunctionComponent>> = {
  overview: OverviewPage,
  cameras: CamerasPage,
  subscriptions: SubscriptionsPage,
  models: ModelsPage,
  plan: PlanPage,
  events: EventsPage,
  detections: DetectionsPage,
  'dead-letters': DeadLettersPage,
  manage: ManagePage,
  worker: WorkerPage,
  camera: CameraPage,
  'not-found': NotFound,
};

export function App() {
  const { page, parameters } = route.value;
  const cluster = feed.cluster.value;
  const main = useRef<HTMLElement>(null);
  // Another worker or camera is another page.
  const subject = page === 'worker' ? (parameters.url ?? '') : page === 'camera' ? (parameters.id ?? '') : '';
  const place = `${page} ${subject}`;
  const shown = useRef(place);
  // Before the page is drawn: a key that is pressed on the new page must find the focus there.
  useLayoutEffect(() => {
    const title = subject === '' ? PAGE_TITLES[page] : workerName(subject);
    document.title = [title, cluster?.name ?? [], 'Detector cluster'].flat().join(' · ');
    // A new page starts at its top, also for the keyboard and screen readers.
    if (shown.current === place) return;
    shown.current = place;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [page, subject, place, cluster]);
  const Page = COMPONENTS[page];
  const { phase } = feed.connection.value;
  const stale = !feed.current.value;
  return (
    <>
      <a
        class="skip-link"
        href="#main"
        onClick={(event) => {
          // The router owns the address.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to content
      </a>
      <div class="top">
        <Header />
        <Banners />
      </div>
      <main ref={main} id="main" class={stale ? 'main main-stale' : 'main'} tabIndex={-1}>
        {phase === 'locked' && <KeyForm />}
        {feed.known.value ? <Page key={place} /> : phase === 'connecting' && <Loading />}
      </main>
      <Overlays />
      <ConfirmDialog />
      <Toasts />
    </>
  );
}

function NotFound() {
  return (
    <EmptyState title="There is no such page" icon="search">
      The address may be mistyped, or of another version. <a href={routeHref('overview')}>Overview</a>
    </EmptyState>
  );
}

function Loading() {
  const connection = feed.connection.value;
  if (connection.phase !== 'connecting' || connection.failure === null)
    return (
      <div class="loading" role="status">
        <span class="spinner" aria-hidden="true" /> Connecting to the service…
      </div>
    );
  return (
    <div class="loading" role="status">
      <Icon name="alert" />
      <p>
        <strong>The page cannot be shown.</strong> {FAILURES[connection.failure]}{' '}
        <span aria-live="off">{attempt(connection.retryAt)}.</span>
      </p>
      <Button size="small" onClick={() => feedConnection.wake()}>
        Try now
      </Button>
    </div>
  );
}

/** Asks for the API key while the service requires one. */
export function KeyForm() {
  const key = useSignal('');
  const input = useRef<HTMLInputElement>(null);
  const connection = feed.connection.value;
  const refused = connection.phase === 'locked' && connection.refused;
  useEffect(() => input.current?.focus(), []);
  return (
    <form
      class="key-form panel"
      onSubmit={(event) => {
        event.preventDefault();
        // Pasted keys often end with a line break.
        const given = key.value.trim();
        if (given === '') return;
        setApiKey(given);
        feedConnection.start();
      }}
    >
      <h1>
        <Icon name="lock" /> This service needs an API key
      </h1>
      <label for="api-key">API key</label>
      <input
        ref={input}
        id="api-key"
        type="password"
        autoComplete="off"
        spellcheck={false}
        required
        aria-describedby="api-key-note api-key-problem"
        aria-invalid={refused}
        value={key.value}
        onInput={(event) => (key.value = event.currentTarget.value)}
      />
      <p id="api-key-note" class="muted">
        The key is kept in this tab only, until you close it.
      </p>
      <p id="api-key-problem" class="key-form-problem" role="alert">
        {refused && 'The service rejected this key.'}
      </p>
      <Button type="submit" tone="primary">
        Unlock
      </Button>
    </form>
  );
}
