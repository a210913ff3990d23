/** A program is unavailable on this machine. The message names ways to get it. */
export class ProgramUnavailableError extends Error {
  override readonly name = 'ProgramUnavailableError';

  constructor(
    /** Name of the executable. */
    readonly program: string,
    /** Where it was sought, and what failed there. */
    reason: string,
    ways: readonly string[],
    cause?: unknown,
  ) {
    const list = ways.map((way, index) => `  ${index + 1}. ${way}`);
    super([`No ${program}: ${reason}.`, 'Ways to get one:', ...list].join('\n'), { cause });
  }
}

/** The message of a thrown value. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
