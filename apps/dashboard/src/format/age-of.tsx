import { useMemo } from 'preact/hooks';
import { now } from '../time/clock.js';
import { formatAge } from './age.js';
import { formatInstant, instantOf } from './instant.js';

/** How long ago something was, kept up to date; the instant itself as a tip. A dash where it cannot be read. */
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
