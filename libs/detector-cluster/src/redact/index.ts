export { escapeControls, escapeStack } from './escape-controls.js';
export { hasStrayAt, isRedacted, REDACTED, redactCameraUrl, redactText, redactUrl } from './redact-url.js';
