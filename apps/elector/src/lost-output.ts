/**
 * Lets the program continue when its output cannot be written, because the reader of a pipe has ended or a disk is full. Only the
 * output is lost. Without a listener, the first such error would end the program, and the end command would not run.
 */
export function ignoreLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
