/** Glyphs of 3 × 5 blocks, row by row; `#` is ink. */
const GLYPHS: Readonly<Record<string, string>> = {
  A: '.#.#.#####.##.#',
  B: '##.#.###.#.###.',
  C: '.###..#..#...##',
  D: '##.#.##.##.###.',
  E: '####..##.#..###',
  F: '####..##.#..#..',
  G: '.###..#.##.#.##',
  H: '#.##.#####.##.#',
  I: '###.#..#..#.###',
  J: '..#..#..##.#.#.',
  K: '#.##.###.#.##.#',
  L: '#..#..#..#..###',
  M: '#.#####.##.##.#',
  N: '##.#.##.##.##.#',
  O: '.#.#.##.##.#.#.',
  P: '##.#.###.#..#..',
  Q: '.#.#.##.#.#..##',
  R: '##.#.###.#.##.#',
  S: '.###...#...###.',
  T: '###.#..#..#..#.',
  U: '#.##.##.##.####',
  V: '#.##.##.##.#.#.',
  W: '#.##.##.#####.#',
  X: '#.##.#.#.#.##.#',
  Y: '#.##.#.#..#..#.',
  Z: '###..#.#.#..###',
  0: '####.##.##.####',
  1: '.#.##..#..#.###',
  2: '##...#.#.#..###',
  3: '##...#.#...###.',
  4: '#.##.####..#..#',
  5: '####..##...###.',
  6: '.###..####.####',
  7: '###..#.#..#..#.',
  8: '####.#####.####',
  9: '####.####..###.',
  '-': '......###......',
};

const WIDTH = 3;
const HEIGHT = 5;

/** Blocks from the beginning of one character to that of the next. */
export const ADVANCE = WIDTH + 1;

/** Calls `ink` for each inked block of a text. Characters without a glyph are blank. */
export function drawText(text: string, ink: (column: number, row: number) => void): void {
  [...text.toUpperCase()].forEach((character, index) => {
    const glyph = GLYPHS[character] ?? '';
    for (let at = 0; at < WIDTH * HEIGHT; at++)
      if (glyph[at] === '#') ink(index * ADVANCE + (at % WIDTH), Math.floor(at / WIDTH));
  });
}
