/** Lets this process stand still for so many milliseconds, as on an overloaded machine. */
export function standStill(duration: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, duration);
}
