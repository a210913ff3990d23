import { eventually } from '@detector-cluster/election/testing';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-node';

/** The spans of one process that have ended. */
export class SpanRecorder {
  private readonly exporter = new InMemorySpanExporter();
  readonly provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.exporter)] });

  get ended(): ReadableSpan[] {
    return this.exporter.getFinishedSpans();
  }

  /** Waits for so many spans whose names begin like this; oldest end first. */
  async named(name: string, count: number): Promise<ReadableSpan[]> {
    return await eventually(`${count} spans "${name}"`, 20_000, () => {
      const found = this.ended.filter((span) => span.name.startsWith(name));
      return found.length >= count && found;
    });
  }
}
