import { grayJpeg } from './gray-jpeg.js';
import { paint, sceneOf } from './scene.js';

/** What a camera showed at a detection, 640 × 480; 0: before the first one. */
export function cameraPicture(cameraId: string, sequence = 0): Buffer {
  return grayJpeg(paint(sceneOf(cameraId, sequence)), `camera ${cameraId}`);
}
