import './views.css';

export interface PageView {
  readonly name: string;
  readonly href: string;
  readonly current: boolean;
  /** How many items it lists; null: not known. */
  readonly count?: number | null;
}

/** The heading of a page with parts, and links to them. */
export function PageViews({ title, views }: { readonly title: string; readonly views: readonly PageView[] }) {
  return (
    <div class="page-header">
      <h1>{title}</h1>
      <nav class="views" aria-label="Part of the page">
        {views.map(({ name, href, current, count }) => (
          <a key={name} href={href} aria-current={current ? 'true' : undefined}>
            {name}
            {count !== undefined && <span class="filter-count"> {count?.toLocaleString('en-GB')}</span>}
          </a>
        ))}
      </nav>
    </div>
  );
}
