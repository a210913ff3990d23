import { useEffect, useRef } from 'preact/hooks';
import { feed } from '../feed/feed.js';
import './navigation.css';
import { PAGES, routeHref, type PageName } from './route.js';
import { route } from './router.js';

export const PAGE_TITLES: Readonly<Record<PageName, string>> = {
  overview: 'Overview',
  cameras: 'Cameras',
  subscriptions: 'Subscriptions',
  plan: 'Plan',
  events: 'Events',
  detections: 'Detections',
  'dead-letters': 'Dead letters',
  manage: 'Manage',
};

export function Navigation() {
  const nav = useRef<HTMLElement>(null);
  const { page: current } = route.value;
  // If not all links fit, the link of the current page stays in view.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  const subscriptions = Object.keys(feed.subscriptions.value).length;
  return (
    <nav ref={nav} class="navigation" aria-label="Pages">
      <ul>
        {PAGES.map((page) => (
          <li key={page}>
            <a href={routeHref(page)} aria-current={current === page ? 'page' : undefined}>
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
