import type { Phrase } from './phrase.js';

/** A sentence in which each text of unknown origin is kept apart from the words around it. */
export function Say({ parts }: { readonly parts: Phrase }) {
  return (
    <>{parts.map((part, index) => (typeof part === 'string' ? part : <bdi key={index}>{part.value}</bdi>))}</>
  );
}
