/** A number with its noun, e.g. `1 camera`, `2,000 cameras`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;
}
