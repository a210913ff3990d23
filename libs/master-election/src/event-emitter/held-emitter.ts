import type { EventEmitter2 } from '@nestjs/event-emitter';

/** Something that events can be emitted on. */
export type EventSink = Pick<EventEmitter2, 'emit'>;

/** Holds events back until somebody listens, and then passes them on, in order. */
export class HeldEmitter implements EventSink {
  private held: (() => void)[] | undefined = [];

  constructor(private readonly emitter: EventSink) {}

  /** Returns whether somebody listened; false while events are held. */
  emit: EventSink['emit'] = (name, ...args) => {
    if (!this.held) return this.emitter.emit(name, ...args);
    this.held.push(() => this.emitter.emit(name, ...args));
    return false;
  };

  /**
   * Passes the held events on. A listener that throws does not keep the events after it back.
   * @throws the first error of a listener, after all events were passed on.
   */
  release(): void {
    const held = this.held ?? [];
    const errors: unknown[] = [];
    // Events that listeners emit join the end.
    for (let next = held.shift(); next; next = held.shift()) {
      try {
        next();
      } catch (error) {
        errors.push(error);
      }
    }
    this.held = undefined;
    if (errors.length > 0) throw errors[0];
  }
}
