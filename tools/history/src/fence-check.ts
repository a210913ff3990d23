import type { Command, FencedWrite } from './history-line.js';

/** Accepted writes that began after an accepted write of a higher term had ended. */
export function staleWrites(writes: readonly FencedWrite[]): FencedWrite[] {
  const accepted = writes.filter((write) => write.accepted);
  const ended = [...accepted].sort((a, b) => a.to - b.to);
  let [highest, place] = [Number.NEGATIVE_INFINITY, 0];
  return accepted
    .sort((a, b) => a.from - b.from)
    .filter(({ from, term }) => {
      for (; place < ended.length && ended[place]!.to < from; place++)
        highest = Math.max(highest, ended[place]!.term);
      return term < highest;
    });
}

/** Commands that a worker has carried out after one of a higher term, although it knows terms. */
export function staleCommands(commands: readonly Command[]): Command[] {
  const highest = new Map<string, number>();
  return commands.filter(({ fencing, process, term, worker }) => {
    if (!fencing) return false;
    const key = `${process} ${worker}`;
    const before = highest.get(key) ?? Number.NEGATIVE_INFINITY;
    highest.set(key, Math.max(before, term));
    return term < before;
  });
}
