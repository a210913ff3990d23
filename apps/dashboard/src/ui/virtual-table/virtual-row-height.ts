import { computed, signal } from '@preact/signals';

const NARROW = window.matchMedia('(max-width: 48rem)');

const narrow = signal(NARROW.matches);
NARROW.addEventListener('change', () => (narrow.value = NARROW.matches));

/** If the columns do not fit, the cells of a row take two or three lines. */
const HEIGHTS = { wide: 2.25, narrow: 4.5 };

/** Height of each row of a virtual table, in CSS pixels. It follows the reader's text size. */
export const rowHeight = computed(() => {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.round((narrow.value ? HEIGHTS.narrow : HEIGHTS.wide) * rem);
});
