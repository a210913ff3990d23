/** The box of the paths. */
export const SPARK_WIDTH = 100;
export const SPARK_HEIGHT = 24;

/** Half of a line's width, so that it is not cut at the edges. */
const MARGIN = 1;

/**
 * A line through percentages as the `d` of an SVG path, newest at the right edge; `most` samples fill the width. Nulls are
 * gaps; a sample between two of them is a dot. Empty: nothing to draw.
 */
export function sparkPath(samples: readonly (number | null)[], most: number): string {
  const step = SPARK_WIDTH / Math.max(1, most - 1);
  const shown = samples.slice(-most);
  let path = '';
  let pen = 'M';
  shown.forEach((percent, index) => {
    if (percent === null) {
      pen = 'M';
      return;
    }
    const point = `${round(SPARK_WIDTH - (shown.length - 1 - index) * step)} ${round(heightOf(percent))}`;
    // A line of no length is drawn as a dot, because line ends are round.
    const alone = pen === 'M' && (shown[index + 1] ?? null) === null;
    path += alone ? `M${point}L${point}` : `${pen}${point}`;
    pen = 'L';
  });
  return path;
}

function heightOf(percent: number): number {
  const share = Math.min(100, Math.max(0, percent)) / 100;
  return SPARK_HEIGHT - MARGIN - share * (SPARK_HEIGHT - 2 * MARGIN);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
