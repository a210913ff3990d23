import { routeHref } from '../shell/route.js';
import { TextLink } from '../ui/text-link.js';

/** The name of a camera, as a link to it on the wall of cameras. */
export function CameraLink({ cameraId }: { readonly cameraId: string }) {
  return <TextLink href={routeHref('cameras', { text: cameraId })} value={cameraId} />;
}
