const CODE = /^[A-Z][A-Z0-9_]{1,63}$/;

/** The code of an error for a label: few values, and nothing of its message. The name where it has no code. */
export function errorCode(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && CODE.test(code) ? code : error.name;
}
