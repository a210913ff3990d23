/** Collects instants and keeps the first. */
export class Earliest {
  value: number | null = null;

  at(time: number | null): void {
    if (time !== null && (this.value === null || time < this.value)) this.value = time;
  }
}
