import { useMemo } from 'preact/hooks';
import { now } from './clock.js';
import { formatAge, formatInstant, instantOf } from './instant.js';

/** The age of an instant, kept up to date, with the instant as a tooltip. A dash if the instant cannot be read. */
export function AgeOf({ iso }: { readonly iso: string }) {
  const at = useMemo(() => instantOf(iso), [iso]);
  const title = useMemo(() => (at === null ? '' : formatInstant(at)), [at]);
  if (at === null) return <span class="muted">–</span>;
  return (
    <time dateTime={iso} title={title}>
      {formatAge(now.value - at)}
    </time>
  );
}
