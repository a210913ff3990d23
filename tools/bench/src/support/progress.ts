/** Says how far a benchmark is, apart from standard output, which belongs to the figures. */
export function progress(message: string): void {
  process.stderr.write(`${message}\n`);
}
