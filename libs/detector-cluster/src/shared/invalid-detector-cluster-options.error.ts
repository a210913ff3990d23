/** All problems of a configuration. Each begins with the name of its option. */
export class InvalidDetectorClusterOptionsError extends Error {
  override readonly name = 'InvalidDetectorClusterOptionsError';
  readonly code = 'INVALID_OPTIONS';

  constructor(readonly problems: readonly string[]) {
    super(
      `DetectorClusterModule: invalid options\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
  }
}
