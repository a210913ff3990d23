import { describe, expect, it } from 'vitest';
import { findCommands, MAX_COMMANDS, moveInList, type Command } from './commands.js';

const command = (label: string, more: Partial<Command> = {}): Command => ({
  id: label,
  kind: 'Worker',
  label,
  go: '#/',
  ...more,
});
const labels = (commands: readonly Command[], text: string) =>
  findCommands(commands, text).found.map(({ label }) => label);

describe('findCommands', () => {
  it('finds commands with every word, in any case and order, those that begin with the text first', () => {
    const commands = [command('Drain gpu-1:8000'), command('gpu-1:8000'), command('gpu-2:8000')];
    expect(labels(commands, 'GPU-1')).toEqual(['gpu-1:8000', 'Drain gpu-1:8000']);
    expect(labels(commands, ' gpu-1  drain ')).toEqual(['Drain gpu-1:8000']);
    expect(labels(commands, 'gpu-3')).toEqual([]);
  });

  it('shows only the commands marked `first` without a text', () => {
    const commands = [command('gpu-1:8000'), command('Overview', { first: true })];
    expect(labels(commands, ' ')).toEqual(['Overview']);
  });

  it('lists few of many, and says how many more there are', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => command(`gpu-${index}`));
    const { found, more } = findCommands(many, 'gpu');
    expect(found).toEqual(many.slice(0, MAX_COMMANDS));
    expect(more).toBe(1_000 - MAX_COMMANDS);
  });
});

describe('moveInList', () => {
  it('goes round by line, and stops at the ends by page', () => {
    expect(moveInList('ArrowDown', 2, 3)).toBe(0);
    expect(moveInList('ArrowUp', 0, 3)).toBe(2);
    expect(moveInList('PageDown', 0, 3)).toBe(2);
    expect(moveInList('PageUp', 2, 30)).toBe(0);
  });

  it('leaves other keys, and an empty list, alone', () => {
    expect(moveInList('Home', 1, 3)).toBeNull();
    expect(moveInList('ArrowDown', 0, 0)).toBeNull();
  });
});
