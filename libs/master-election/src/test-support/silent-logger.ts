const nothing = () => undefined;

/** For applications in tests that do not check log lines. */
export const silentLogger = { log: nothing, warn: nothing, error: nothing };
