import type { FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ConfirmDialog } from '../actions/confirm-dialog.js';
import { DeadLettersPage } from '../dead-letters/dead-letters-page.js';
import { DetectionsPage } from '../detections/detections-page.js';
import { EventsPage } from '../events/events-page.js';
import { feed } from '../feed/feed.js';
import { OverviewPage } from '../overview/overview-page.js';
import { PlanPage } from '../plan/plan-page.js';
import { SubscriptionsPage } from '../subscriptions/subscriptions-page.js';
import { Toasts } from '../ui/toasts.js';
import './app.css';
import { Banners } from './banners.js';
import { Header } from './header.js';
import { KeyForm } from './key-form.js';
import { PAGE_TITLES } from './navigation.js';
import type { PageName } from './route.js';
import { route } from './router.js';

const COMPONENTS: Readonly<Record<PageName, FunctionComponent>> = {
  overview: OverviewPage,
  subscriptions: SubscriptionsPage,
  plan: PlanPage,
  events: EventsPage,
  detections: DetectionsPage,
  'dead-letters': DeadLettersPage,
};

export function App() {
  const { page } = route.value;
  const main = useRef<HTMLElement>(null);
  const shown = useRef(page);
  useEffect(() => {
    document.title = `${PAGE_TITLES[page]} · Detector cluster`;
    // Another page begins at its top, for the keyboard and for those who listen to it.
    if (shown.current === page) return;
    shown.current = page;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [page]);
  const Page = COMPONENTS[page];
  const { phase } = feed.connection.value;
  const stale = phase !== 'live';
  return (
    <>
      <a
        class="skip-link"
        href="#main"
        onClick={(event) => {
          // The address belongs to the router.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <div class="top">
        <Header />
        <Banners />
      </div>
      <main ref={main} id="main" class={stale ? 'main main-stale' : 'main'} tabIndex={-1}>
        {phase === 'locked' && <KeyForm />}
        {feed.known.value ? <Page key={page} /> : phase === 'connecting' && <Loading />}
      </main>
      <ConfirmDialog />
      <Toasts />
    </>
  );
}

function Loading() {
  return (
    <div class="loading" role="status">
      <span class="spinner" aria-hidden="true" /> Looking at the cluster…
    </div>
  );
}
