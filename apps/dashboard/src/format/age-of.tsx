import { now } from '../time/clock.js';
import { formatAge } from './age.js';
import { formatInstant, instantOf } from './instant.js';

/** How long ago something was, kept up to date; the instant itself as a tip. A dash where it cannot be read. */
export function AgeOf({ iso }: { readonly iso: string }) {
  const at = instantOf(iso);
  if (at === null) return <span class="muted">–</span>;
  return (
    <time dateTime={iso} title={formatInstant(at)}>
      {formatAge(now.value - at)}
    </time>
  );
}
