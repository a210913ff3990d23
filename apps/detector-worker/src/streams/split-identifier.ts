/** Display and camera of `<displayId>;<cameraId>`; without a `;` the whole name is both. */
export function splitIdentifier(subscriptionIdentifier: string): { displayId: string; cameraId: string } {
  const at = subscriptionIdentifier.indexOf(';');
  return at === -1
    ? { displayId: subscriptionIdentifier, cameraId: subscriptionIdentifier }
    : { displayId: subscriptionIdentifier.slice(0, at), cameraId: subscriptionIdentifier.slice(at + 1) };
}
