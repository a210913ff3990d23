import { useLayoutEffect, useRef } from 'preact/hooks';
import { feed } from '../feed/feed.js';
import './app.css';
import { PAGES, routeHref, type PageName } from './route.js';
import { keepRange, route } from './router.js';

export const PAGE_TITLES: Readonly<Record<PageName, string>> = {
  overview: 'Overview',
  cameras: 'Cameras',
  subscriptions: 'Subscriptions',
  models: 'Models',
  plan: 'Plan',
  events: 'Events',
  detections: 'Detections',
  'dead-letters': 'Dead letters',
  manage: 'Manage',
  worker: 'Worker',
  camera: 'Camera',
  'not-found': 'Not found',
};

/** The page in the navigation that leads to a page about one thing. */
const PARENTS: Readonly<Partial<Record<PageName, PageName>>> = {
  worker: 'overview',
  camera: 'cameras',
};

export function Navigation() {
  const nav = useRef<HTMLElement>(null);
  const { page: current } = route.value;
  const parent = PARENTS[current];
  // If not all links fit, the link of the current page stays in view.
  useLayoutEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  const subscriptions = Object.keys(feed.subscriptions.value).length;
  return (
    <nav ref={nav} class="navigation" aria-label="Pages">
      <ul>
        {PAGES.map((page) => (
          <li key={page}>
            <a
              href={keepRange(routeHref(page))}
              aria-current={current === page ? 'page' : parent === page ? 'true' : undefined}
            >
              {PAGE_TITLES[page]}
              {page === 'subscriptions' && subscriptions > 0 && (
                <span class="navigation-count">{subscriptions.toLocaleString('en-GB')}</span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
