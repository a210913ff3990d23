/** Text of unknown origin on one line, isolated from the surrounding text. Long text is cut, and whole in the tooltip. */
export function Text({ value, mono = false }: { readonly value: string; readonly mono?: boolean }) {
  return (
    <bdi class={mono ? 'cut mono' : 'cut'} title={value}>
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
      <bdi>{value}</bdi>
    </a>
  );
}
