/** The foreign `type`, quoted and escaped so that it cannot forge log lines. */
export function unknownTypeDetail(type: string): string {
  return `type: ${JSON.stringify(type.slice(0, 40))} is not one of this protocol`;
}
