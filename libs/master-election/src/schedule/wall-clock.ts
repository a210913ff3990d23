const DAY = 86_400_000;

/** The offset of the clocks on the wall of one time zone from UTC. Milliseconds. */
export class WallClock {
  private readonly format: Intl.DateTimeFormat | undefined;
  private readonly fixed: number;

  /**
   * @param where An IANA name, e.g. `Europe/Berlin`, or the offset from UTC in minutes.
   * @throws RangeError when there is no such time zone.
   */
  constructor(where: string | number) {
    this.fixed = typeof where === 'number' ? where * 60_000 : 0;
    this.format =
      typeof where === 'string'
        ? new Intl.DateTimeFormat('en', { timeZone: where, timeZoneName: 'longOffset' })
        : undefined;
  }

  offsetAt(instant: number): number {
    const name = this.format?.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value;
    // "GMT+05:30", or "GMT" alone.
    const [, sign, hours, minutes, seconds = '0'] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name ?? '') ?? [];
    if (sign === undefined) return this.fixed;
    const size = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1_000;
    return sign === '-' ? -size : size;
  }

  /**
   * The first instant after `after`, and not after `until`, that has another offset than `offset`; `undefined` if there is none. Finds
   * every change that lasts for a day.
   */
  changeBetween(after: number, until: number, offset: number): number | undefined {
    for (let same = after; same < until; same += DAY) {
      let changed = Math.min(same + DAY, until);
      if (this.offsetAt(changed) === offset) continue;
      while (changed - same > 1) {
        const middle = Math.floor((same + changed) / 2);
        if (this.offsetAt(middle) === offset) same = middle;
        else changed = middle;
      }
      return changed;
    }
    return undefined;
  }
}
