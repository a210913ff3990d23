import type { ComponentChildren } from 'preact';
import { PAGE_TITLES } from '../shell/navigation.js';
import { routeHref, type PageName } from '../shell/route.js';
import { keepRange, route } from '../shell/router.js';
import './views.css';

export interface PageProps {
  readonly title: ComponentChildren;
  /** The page that lists things like the one that this page is about. */
  readonly parent?: PageName;
  /** What stands beside the title. */
  readonly beside?: ComponentChildren;
  /** What the page is for, in a sentence. */
  readonly note?: string;
  /** What stands at the other end of the header. */
  readonly end?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page with its header. */
export function Page({ title, parent, beside, note, end, children }: PageProps) {
  return (
    <div class="page">
      <div class="page-header">
        <div class="page-title">
          {parent !== undefined && (
            <>
              <a href={routeHref(parent)}>{PAGE_TITLES[parent]}</a>
              <span aria-hidden="true">/</span>
            </>
          )}
          <h1>{title}</h1>
          {beside}
          {note !== undefined && <p class="muted">{note}</p>}
        </div>
        {end}
      </div>
      {children}
    </div>
  );
}

export interface SectionProps {
  readonly title: string;
  /** A word or a number beside the title; null: none. */
  readonly note?: string | null;
  /** What stands at the other end of its header. */
  readonly end?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a page. */
export function Section({ title, note = null, end, children }: SectionProps) {
  return (
    <section class="section" aria-label={title}>
      <div class="section-header">
        <h2>
          {title}
          {note !== null && <span class="section-note"> {note}</span>}
        </h2>
        {end}
      </div>
      {children}
    </section>
  );
}

export interface ViewsProps {
  readonly page: PageName;
  /** The value of the parameter `view`, its name, and how many items it lists (null: not known). The first one is the usual one. */
  readonly views: readonly (readonly [view: string, name: string, count?: number | null])[];
}

/** Links to the parts of a page. */
export function Views({ page, views }: ViewsProps) {
  const chosen = route.value.parameters.view;
  const current = views.find(([view]) => view === chosen) ?? views[0];
  return (
    <nav class="views" aria-label="Part of the page">
      {views.map((one) => {
        const [view, name, count] = one;
        return (
          <a
            key={view}
            href={keepRange(routeHref(page, { view }))}
            aria-current={one === current ? 'true' : undefined}
          >
            {name}
            {count !== undefined && <span class="filter-count"> {count?.toLocaleString('en-GB')}</span>}
          </a>
        );
      })}
    </nav>
  );
}
