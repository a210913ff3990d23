import { localMemory } from '../feed/page-memory.js';

const NAME = 'dashboard.zone';

/** Whether the operator wants all times in UTC, and not in the time zone of the browser. */
export const IN_UTC = localMemory.read(NAME) === 'utc';

/** Every time on the page changes, so the page is loaded again. Its address stays. */
export function switchZone(): void {
  localMemory.write(NAME, IN_UTC ? null : 'utc');
  window.location.reload();
}
