import type { DetectionTracer } from '@detector-cluster/detector-cluster/tracing';

/** Reports each detection that its master calls accepted. Traces nothing. */
export class AcceptanceTracer implements DetectionTracer {
  constructor(private readonly onAccepted: (detectionId: string) => void) {}

  received: DetectionTracer['received'] = () => ({ context: undefined, end: () => undefined });

  resumed: DetectionTracer['resumed'] = () => undefined;

  sending: DetectionTracer['sending'] = ({ detectionId }) => ({
    fields: null,
    end: (outcome) => {
      if (outcome === 'accepted') this.onAccepted(detectionId);
    },
  });

  processing: DetectionTracer['processing'] = () => ({
    run: (callbacks) => callbacks(),
    failed: () => undefined,
    end: () => undefined,
  });
}
