import type { AlertName } from './alert-rules.js';

/** The section of the runbook about an alert. */
export function runbookId(name: AlertName): string {
  return name.toLowerCase();
}

/** The service serves the runbook beside this page. */
export function runbookHref(name: AlertName): string {
  return `runbook.html#${runbookId(name)}`;
}
