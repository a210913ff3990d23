import type { Page } from 'playwright-core';

/** Reported by the browser itself, before any script of the page runs. */
const WATCH_POLICY = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('content security policy: ' + violatedDirective + ' ' + blockedURI))`;

/** Messages of the browser if the service is unavailable, or has refused an action. */
export const REFUSALS = [/Failed to load resource/, /WebSocket connection to/];

/**
 * Collects what must not happen on any page: warnings and errors on the console, uncaught errors, violations of the content
 * security policy, dialogs of the browser, and requests to other servers than the service. Call it before the page is loaded.
 * @param origin of the service
 * @param expected complaints that the test expects, e.g. those of the browser about an unavailable service
 * @returns the complaints so far; later ones are added
 */
export async function watchForComplaints(
  page: Page,
  origin: string,
  expected: readonly RegExp[],
): Promise<readonly string[]> {
  const complaints: string[] = [];
  const complain = (text: string) => {
    if (!expected.some((pattern) => pattern.test(text))) complaints.push(text);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complain(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complain(`uncaught: ${error.stack ?? error.message}`));
  page.on('dialog', (dialog) => {
    complain(`a dialog of the browser: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const { host } = new URL(origin);
  const check = (asked: { url(): string }) => {
    const url = asked.url();
    if (!/^(data|blob):/.test(url) && new URL(url).host !== host)
      complain(`a request to another host: ${url}`);
  };
  page.on('request', check);
  page.on('websocket', check);
  await page.addInitScript(WATCH_POLICY);
  return complaints;
}
