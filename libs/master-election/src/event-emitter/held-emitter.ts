import type { EventEmitter2 } from '@nestjs/event-emitter';

/** The part of an `EventEmitter2` that emits. */
export type EventSink = Pick<EventEmitter2, 'emit'>;

/** Buffers events until {@link HeldEmitter.release}, then emits them in order. */
export class HeldEmitter implements EventSink {
  private held: (() => void)[] | undefined = [];

  constructor(private readonly emitter: EventSink) {}

  /** Returns whether the event had a listener; false while events are buffered. */
  emit: EventSink['emit'] = (name, ...args) => {
    if (!this.held) return this.emitter.emit(name, ...args);
    this.held.push(() => this.emitter.emit(name, ...args));
    return false;
  };

  /**
   * Emits the buffered events. If a listener throws, the events after it are still emitted.
   * @throws the first error of a listener, after all events were emitted.
   */
  release(): void {
    const held = this.held ?? [];
    const errors: unknown[] = [];
    // Listeners can append events during the loop.
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
