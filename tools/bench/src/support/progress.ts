/** Prints the progress of a benchmark on standard error, because standard output is for the figures. */
export function progress(message: string): void {
  process.stderr.write(`${message}\n`);
}
