import { Injectable } from '@nestjs/common';

/** Monotonic time, replaced in tests. */
@Injectable()
export class Clock {
  /** Milliseconds since an arbitrary moment; never goes back. */
  now(): number {
    return performance.now();
  }
}
