const CODE = /^[A-Z][A-Z0-9_]{1,63}$/;

/** The code of an error as a label value; its name if it has no code. Never its message, which could take any value. */
export function errorCode(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && CODE.test(code) ? code : error.name;
}
