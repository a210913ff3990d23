/** Text of unknown origin on one line: cut where it is too long, whole as a tip, kept apart from the text around it. */
export function Text({ value, mono = false }: { readonly value: string; readonly mono?: boolean }) {
  return (
    <bdi class={mono ? 'cut mono' : 'cut'} title={value}>
      {value}
    </bdi>
  );
}
