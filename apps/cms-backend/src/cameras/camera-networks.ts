import { NetworkPolicy } from '@detector-cluster/detector-cluster';
import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { problems } from '../http/problem/problems.js';

/** In which networks cameras may be: workers connect to every address that is stored here. */
@Injectable()
export class CameraNetworks {
  private readonly policy: NetworkPolicy;

  constructor(@Inject(APP_CONFIG) { cluster }: AppConfig) {
    this.policy = NetworkPolicy.of(cluster.networks ?? undefined, []);
  }

  /** @throws 422 with each field whose host is not allowed */
  check(camera: { readonly rtspUrl?: string; readonly snapshotUrl?: string | null }): void {
    const errors = (['rtspUrl', 'snapshotUrl'] as const).flatMap((field) => {
      const url = camera[field] ?? null;
      const detail = url === null ? null : this.policy.problemOf(url);
      return detail === null ? [] : [{ pointer: `#/${field}`, detail }];
    });
    if (errors.length > 0) throw problems.validation(errors);
  }
}
