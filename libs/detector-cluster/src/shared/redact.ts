/**
 * URLs and texts without the credentials that they hold.
 *
 * @example
 * ```ts
 * import { redactCameraUrl } from '@detector-cluster/detector-cluster/redact';
 *
 * console.log(redactCameraUrl('rtsp://admin:secret@10.0.0.9/main'));
 * ```
 * @packageDocumentation
 */
export { escapeControls, escapeStack } from './escape-controls.js';
export { hasStrayAt, isRedacted, REDACTED, redactCameraUrl, redactText, redactUrl } from './redact-url.js';
