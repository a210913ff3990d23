const nothing = () => undefined;

/** For applications in tests whose log lines are not looked at. */
export const silentLogger = { log: nothing, warn: nothing, error: nothing };
