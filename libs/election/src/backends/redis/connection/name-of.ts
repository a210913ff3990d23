/** What `CLIENT LIST` shows of a connection: the parts that exist, separated by slashes. The server takes printable ASCII only. */
export function nameOf(...parts: (string | null | undefined)[]): string | undefined {
  const name = parts.filter((part) => part).join('/');
  return name === '' ? undefined : name.replaceAll(/[^!-~]/g, '_');
}
