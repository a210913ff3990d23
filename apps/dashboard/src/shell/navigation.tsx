import { feed } from '../feed/feed.js';
import './navigation.css';
import { PAGES, routeHref, type PageName } from './route.js';
import { route } from './router.js';

export const PAGE_TITLES: Readonly<Record<PageName, string>> = {
  overview: 'Overview',
  subscriptions: 'Subscriptions',
  plan: 'Plan',
  events: 'Events',
  detections: 'Detections',
  'dead-letters': 'Dead letters',
};

export function Navigation() {
  const subscriptions = Object.keys(feed.subscriptions.value).length;
  return (
    <nav class="navigation" aria-label="Pages">
      <ul>
        {PAGES.map((page) => (
          <li key={page}>
            <a href={routeHref(page)} aria-current={route.value.page === page ? 'page' : undefined}>
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
