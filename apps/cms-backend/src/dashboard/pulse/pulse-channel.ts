/** The channel on which every process says how it is. */
export const pulseChannel = (keyPrefix: string): string => `${keyPrefix}dashboard:pulse`;
