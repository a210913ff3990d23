/** A page that is hidden draws no frames, and does not wait longer than this for one. Milliseconds. */
const MAX_FRAME = 100;

/**
 * Runs actions in the order of the calls, each right after the browser has drawn a frame. At any other moment, the work for a
 * message could delay the next frame, so that a page that scrolls would stutter with each message.
 */
export function afterFrame(action: () => void): void {
  const run = () => {
    window.clearTimeout(timer);
    window.cancelAnimationFrame(frame);
    // A frame is drawn after the callbacks for it.
    window.setTimeout(action);
  };
  const timer = window.setTimeout(run, MAX_FRAME);
  const frame = window.requestAnimationFrame(run);
}
