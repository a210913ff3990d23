import { createHash } from 'node:crypto';
import { grayJpeg } from '@detector-cluster/worker-protocol/internal';

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
const ADVANCE = WIDTH + 1;

/** Calls `ink` for each inked block of a text. Characters without a glyph are blank. */
export function drawText(text: string, ink: (column: number, row: number) => void): void {
  [...text.toUpperCase()].forEach((character, index) => {
    const glyph = GLYPHS[character] ?? '';
    for (let at = 0; at < WIDTH * HEIGHT; at++)
      if (glyph[at] === '#') ink(index * ADVANCE + (at % WIDTH), Math.floor(at / WIDTH));
  });
}

/** Pixels of one block, and blocks of a picture. */
const BLOCK = 8;
const COLUMNS = 80;
const ROWS = 60;

/** Blocks: the car, and its plate within it. */
const CAR = { row: 26, width: 44, height: 22 };
const PLATE = { column: 4, row: 10, width: 35, height: 9 };

/** Pixels of the whole picture. */
export const FRAME = { width: COLUMNS * BLOCK, height: ROWS * BLOCK };

/** A place in a picture. Pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What the reference worker sees with its `sequence`th detection: one car, which moves from picture to picture. */
export interface Scene {
  readonly cameraId: string;
  readonly sequence: number;
  readonly plate: string;
  /** Blocks. */
  readonly carColumn: number;
  /** The car, then its plate. */
  readonly boxes: readonly [Box, Box];
}

export function sceneOf(cameraId: string, sequence: number): Scene {
  const steps = COLUMNS - CAR.width;
  const carColumn = (sequence * 7 + hashOf(cameraId)[0]!) % steps;
  return {
    cameraId,
    sequence,
    plate: `DC ${String(sequence % 10_000).padStart(4, '0')}`,
    carColumn,
    boxes: [
      box(carColumn, CAR.row, CAR.width, CAR.height),
      box(carColumn + PLATE.column, CAR.row + PLATE.row, PLATE.width, PLATE.height),
    ],
  };
}

/** Gray levels of the blocks of a scene: the camera's name above its skyline, a road, and a car with a plate that can be read. */
function paint(scene: Scene): readonly (readonly number[])[] {
  const levels = Array.from({ length: ROWS }, (_, row) =>
    Array<number>(COLUMNS).fill(row < 36 ? 200 - row : 96),
  );
  const fill = (column: number, row: number, width: number, height: number, level: number) => {
    for (let y = row; y < row + height; y++) levels[y]!.fill(level, column, column + width);
  };
  // No two cameras have the same houses.
  const houses = hashOf(scene.cameraId);
  for (let house = 0; house < 16; house++) {
    const height = 4 + (houses[house + 1]! % 18);
    fill(house * 5, 36 - height, 5, height, 110 + (houses[house + 9]! >> 2));
  }
  for (let column = 2; column < COLUMNS; column += 14) fill(column, 54, 8, 1, 220);
  const left = scene.carColumn;
  fill(left + 9, CAR.row, 26, 8, 40);
  fill(left + 11, CAR.row + 1, 10, 6, 150);
  fill(left + 23, CAR.row + 1, 10, 6, 150);
  fill(left, CAR.row + 8, CAR.width, 12, 40);
  for (const wheel of [5, 32]) fill(left + wheel, CAR.row + 19, 7, 3, 8);
  fill(left + PLATE.column, CAR.row + PLATE.row, PLATE.width, PLATE.height, 250);
  drawText(scene.plate, (column, row) =>
    fill(left + PLATE.column + 4 + column, CAR.row + PLATE.row + 2 + row, 1, 1, 10),
  );
  drawText(scene.cameraId.slice(0, 19), (column, row) => fill(2 + column, 2 + row, 1, 1, 20));
  return levels;
}

function box(column: number, row: number, width: number, height: number): Box {
  return { x: column * BLOCK, y: row * BLOCK, width: width * BLOCK, height: height * BLOCK };
}

function hashOf(cameraId: string): Buffer {
  return createHash('sha256').update(cameraId).digest();
}

/** Names the picture of a detection. Another stream of the camera, e.g. after a restart, has other names. */
export function pictureId(streamId: string, sequence: number): string {
  return `${streamId}.${sequence}`;
}

/** The number of the detection whose picture has this name; null: it is no picture of this stream. */
export function sequenceOf(picture: string, streamId: string | undefined): number | null {
  const [, stream, number] = /^(.+)\.(\d{1,15})$/.exec(picture) ?? [];
  return stream !== undefined && stream === streamId ? Number(number) : null;
}

/** What a camera showed at a detection, 640 × 480; 0: before the first one. */
export function cameraPicture(cameraId: string, sequence = 0): Buffer {
  return grayJpeg(paint(sceneOf(cameraId, sequence)), `camera ${cameraId}`);
}
