/** Nest event name under which every frame of a master arrives. */
export const FRAME = 'frame';
