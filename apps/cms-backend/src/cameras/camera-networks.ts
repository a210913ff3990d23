import { NetworkPolicy } from '@detector-cluster/detector-cluster';
import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import type { ProblemIssue } from '../http/problem/problem.js';
import { problems } from '../http/problem/problems.js';

interface CameraUrls {
  readonly rtspUrl?: string | undefined;
  readonly snapshotUrl?: string | null | undefined;
}

/** In which networks cameras may be: workers connect to every address that is stored here. */
@Injectable()
export class CameraNetworks {
  private readonly policy: NetworkPolicy;

  constructor(@Inject(APP_CONFIG) { cluster }: AppConfig) {
    this.policy = NetworkPolicy.of(cluster.networks ?? undefined, []);
  }

  /** @throws 422 with each field whose host is not allowed */
  check(camera: CameraUrls): void {
    const errors = this.problemsOf(camera);
    if (errors.length > 0) throw problems.validation(errors);
  }

  problemsOf(camera: CameraUrls): ProblemIssue[] {
    return (['rtspUrl', 'snapshotUrl'] as const).flatMap((field) => {
      const url = camera[field] ?? null;
      const detail = url === null ? null : this.policy.problemOf(url);
      return detail === null ? [] : [{ pointer: `#/${field}`, detail }];
    });
  }
}
