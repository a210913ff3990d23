import type { Phrase } from './phrase.js';

/** Renders a sentence and isolates each text of unknown origin. */
export function Say({ parts }: { readonly parts: Phrase }) {
  return (
    <>{parts.map((part, index) => (typeof part === 'string' ? part : <bdi key={index}>{part.value}</bdi>))}</>
  );
}
