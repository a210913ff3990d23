/** The options as they were given. */
export const GROUP_MEMBERSHIP_OPTIONS = Symbol('GROUP_MEMBERSHIP_OPTIONS');
