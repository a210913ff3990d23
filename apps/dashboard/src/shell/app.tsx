import type { FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ConfirmDialog } from '../actions/confirm-dialog.js';
import { CamerasPage } from '../cameras/cameras-page.js';
import { DeadLettersPage } from '../dead-letters/dead-letters-page.js';
import { DetectionsPage } from '../detections/detections-page.js';
import { EventsPage } from '../events/events-page.js';
import { feed, feedConnection } from '../feed/feed.js';
import { ManagePage } from '../manage/manage-page.js';
import { workerName } from '../overview/workers/worker-name.js';
import { OverviewPage } from '../overview/overview-page.js';
import { Overlays } from '../palette/overlays.js';
import { PlanPage } from '../plan/plan-page.js';
import { WorkerPage } from '../worker/worker-page.js';
import { SubscriptionsPage } from '../subscriptions/subscriptions-page.js';
import { Button } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import { Toasts } from '../ui/toasts.js';
import './app.css';
import { FAILURES } from './outages.js';
import { attempt, Banners } from './banners.js';
import { Header } from './header.js';
import { KeyForm } from './key-form.js';
import { PAGE_TITLES } from './navigation.js';
import type { PageName } from './route.js';
import { route } from './router.js';

const COMPONENTS: Readonly<Record<PageName, FunctionComponent>> = {
  overview: OverviewPage,
  cameras: CamerasPage,
  subscriptions: SubscriptionsPage,
  plan: PlanPage,
  events: EventsPage,
  detections: DetectionsPage,
  'dead-letters': DeadLettersPage,
  manage: ManagePage,
  worker: WorkerPage,
};

export function App() {
  const { page, parameters } = route.value;
  const cluster = feed.cluster.value;
  const main = useRef<HTMLElement>(null);
  // Another worker is another page.
  const worker = page === 'worker' ? (parameters.url ?? '') : '';
  const place = `${page} ${worker}`;
  const shown = useRef(place);
  useEffect(() => {
    const title = worker === '' ? PAGE_TITLES[page] : workerName(worker);
    document.title = [title, cluster?.name ?? [], 'Detector cluster'].flat().join(' · ');
    // A new page starts at its top, also for the keyboard and screen readers.
    if (shown.current === place) return;
    shown.current = place;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [page, worker, place, cluster]);
  const Page = COMPONENTS[page];
  const { phase } = feed.connection.value;
  const stale = phase !== 'live' || feed.outage.value !== null;
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
