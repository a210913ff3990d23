/** Names the picture of a detection. Another stream of the camera, e.g. after a restart, has other names. */
export function pictureId(streamId: string, sequence: number): string {
  return `${streamId}.${sequence}`;
}

/** The number of the detection whose picture has this name; null: it is no picture of this stream. */
export function sequenceOf(picture: string, streamId: string | undefined): number | null {
  const [, stream, number] = /^(.+)\.(\d{1,15})$/.exec(picture) ?? [];
  return stream !== undefined && stream === streamId ? Number(number) : null;
}
