import {
  OnDetection,
  parseSubscription,
  type Detection,
  type DetectionMeta,
  type ImageDetectionResponse,
} from '@detector-cluster/detector-cluster';
import { Injectable } from '@nestjs/common';

/** Your displays. */
export abstract class Screens {
  abstract show(displayId: string, content: string): Promise<void>;
}

/** A question with two branches, or the content to show. */
type Tree = string | { ask: (car: Detection) => boolean; yes: Tree; no: Tree };

const tree: Tree = {
  ask: ({ bodyType }) => bodyType === 'Truck',
  yes: 'lorry-parking',
  no: {
    ask: ({ carYear }) => (carYear ?? Infinity) < new Date().getFullYear() - 10,
    yes: 'new-cars',
    no: 'car-wash',
  },
};

const decide = (node: Tree, car: Detection): string =>
  typeof node === 'string' ? node : decide(node.ask(car) ? node.yes : node.no, car);

@Injectable()
export class ContentChoice {
  readonly carsByBrand = new Map<string, number>();
  private readonly counted = new Set<string>();

  constructor(private readonly screens: Screens) {}

  /** Runs in one process of the cluster for each detection; again, with the same id, if that process dies. */
  @OnDetection()
  async processDetection(
    { subscriptionIdentifier, data: { detection } }: ImageDetectionResponse,
    { detectionId, signal }: DetectionMeta,
  ): Promise<void> {
    if (detection === null) return;
    this.updateAnalytics(detectionId, detection);
    const { displayId } = parseSubscription(subscriptionIdentifier);
    signal.throwIfAborted(); // another process has the subscription by now, and decides
    await this.screens.show(displayId, decide(tree, detection));
  }

  private updateAnalytics(detectionId: string, { carBrand }: Detection): void {
    if (this.counted.has(detectionId)) return;
    this.counted.add(detectionId);
    const brand = carBrand ?? 'unknown';
    this.carsByBrand.set(brand, (this.carsByBrand.get(brand) ?? 0) + 1);
  }
}
