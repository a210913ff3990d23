import { lookalikeNote } from '../wording/lookalikes.js';
import { Icon } from './icon.js';

/** Marks a name that may be taken for another one. */
function Lookalike({ value }: { readonly value: string }) {
  const note = lookalikeNote(value);
  if (note === null) return null;
  return (
    <span class="lookalike" role="img" aria-label={note} title={`${note}: another name may look the same`}>
      <Icon name="alert" />
    </span>
  );
}

/** Text of unknown origin on one line, isolated from the surrounding text. Long text is cut, and whole in the tooltip. */
export function Text({ value, mono = false }: { readonly value: string; readonly mono?: boolean }) {
  return (
    <bdi class={mono ? 'cut mono' : 'cut'} title={value}>
      <Lookalike value={value} />
      {value}
    </bdi>
  );
}

export interface TextLinkProps {
  readonly href: string;
  readonly value: string;
  /** The tooltip; by default the text, whole. */
  readonly title?: string;
}

/** Text of unknown origin as a link, on one line and isolated like `Text`. */
export function TextLink({ href, value, title = value }: TextLinkProps) {
  return (
    <a class="cut" href={href} title={title}>
      <Lookalike value={value} />
      <bdi>{value}</bdi>
    </a>
  );
}
