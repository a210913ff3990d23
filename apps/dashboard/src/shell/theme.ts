import { effect, signal } from '@preact/signals';
import { localMemory } from '../feed/page-memory.js';

export type Theme = 'system' | 'light' | 'dark';

const NAME = 'dashboard.theme';

/** The operator's choice; `system` follows the machine's setting. */
export const theme = signal<Theme>(remembered());

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

export function switchTheme(): void {
  theme.value = NEXT[theme.value];
  localMemory.write(NAME, theme.value === 'system' ? null : theme.value);
}

/** Applies the chosen theme to the page. */
export function startTheme(): void {
  effect(() => {
    const { dataset } = document.documentElement;
    if (theme.value === 'system') delete dataset.theme;
    else dataset.theme = theme.value;
  });
}

function remembered(): Theme {
  const text = localMemory.read(NAME);
  return text === 'light' || text === 'dark' ? text : 'system';
}
