/** Order of two stream ids `<milliseconds>-<sequence>`, both parts below 2^53: negative, zero or positive. */
export function compareEntryIds(a: string, b: string): number {
  const [aTerm, aSequence] = a.split('-');
  const [bTerm, bSequence] = b.split('-');
  return Number(aTerm) - Number(bTerm) || Number(aSequence) - Number(bSequence);
}
