/** The page that shows a display, and the replica that it is connected to. */
export interface Holder {
  /** The page chooses it when it is loaded. */
  readonly page: string;
  /** Of the replica, as in the process registry. */
  readonly processId: string;
}

export const writeHolder = ({ page, processId }: Holder): string => `${page}@${processId}`;

export function readHolder(text: string): Holder {
  const at = text.indexOf('@');
  return { page: text.slice(0, at), processId: text.slice(at + 1) };
}
