/** Text of unknown origin on one line, isolated from the surrounding text. Long text is cut, and whole in the tooltip. */
export function Text({ value, mono = false }: { readonly value: string; readonly mono?: boolean }) {
  return (
    <bdi class={mono ? 'cut mono' : 'cut'} title={value}>
      {value}
    </bdi>
  );
}
