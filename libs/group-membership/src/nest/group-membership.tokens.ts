/** Injection token of the options, as given. */
export const GROUP_MEMBERSHIP_OPTIONS = Symbol('GROUP_MEMBERSHIP_OPTIONS');
