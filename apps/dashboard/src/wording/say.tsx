import { keepRange } from '../shell/router.js';
import type { Phrase, PhrasePart } from './phrase.js';

/** Renders a sentence and isolates each text of unknown origin. */
export function Say({ parts }: { readonly parts: Phrase }) {
  return (
    <>{parts.map((part, index) => (typeof part === 'string' ? part : <Value key={index} part={part} />))}</>
  );
}

function Value({ part: { value, href, title } }: { readonly part: Exclude<PhrasePart, string> }) {
  if (href === undefined) return <bdi title={title}>{value}</bdi>;
  return (
    <a href={keepRange(href)}>
      <bdi>{value}</bdi>
    </a>
  );
}
