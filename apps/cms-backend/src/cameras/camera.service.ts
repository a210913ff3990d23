import { NetworkPolicy } from '@detector-cluster/detector-cluster/validation';
import { redactCameraUrl } from '@detector-cluster/detector-cluster/redact';
import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { PRISMA } from '../database/prisma-client.js';
import { displaysWith, type EntryKind, type Rows } from '../entries/entry-kind.js';
import { EntryStore, type PutResult, type Removal, type RemoveOptions } from '../entries/entry-store.js';
import { ImpactForecast } from '../entries/impact-forecast.js';
import type { PutOptions } from '../entries/put-entries.js';
import type { Camera, PrismaClient } from '../generated/prisma/client.js';
import type { Precondition } from '../http/etag.js';
import { withInstants } from '../http/fields.js';
import { containing, type Page } from '../http/pagination.js';
import type { ProblemIssue } from '../http/problem/problem.js';
import { problems } from '../http/problem/problems.js';
import type {
  CamerasQuery,
  CameraView,
  CreateCamera,
  PutCamera,
  PutCameras,
  UpdateCamera,
} from './camera.schema.js';

interface CameraUrls {
  readonly rtspUrl?: string | undefined;
  readonly snapshotUrl?: string | null | undefined;
}

/** The networks that cameras may be in. Workers connect to every address that is stored here. */
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

/** How cameras are stored, and what refers to them. */
const cameraKind = (networks: CameraNetworks): EntryKind<Camera, ReturnType<typeof toCameraView>> => ({
  name: 'camera',
  rows: (client) => client.camera as unknown as Rows<Camera>,
  pathKey: 'cameraIdentifier',
  nameKey: 'cameraIdentifier',
  toView: toCameraView,
  required: ['rtspUrl'],
  references: [],
  check: (item) => networks.problemsOf(item as PutCamera),
  users: (client, { cameraIdentifier }) => displaysWith(client, { cameraIdentifier }),
  changed: (rows) => ({ cameras: rows.map(({ cameraIdentifier }) => cameraIdentifier) }),
});

/** A camera as the API shows it: without secrets. */
function toCameraView({ id: _id, ...camera }: Camera) {
  return {
    ...withInstants(camera),
    rtspUrl: redactCameraUrl(camera.rtspUrl),
    snapshotUrl: camera.snapshotUrl === null ? null : redactCameraUrl(camera.snapshotUrl),
  };
}

/**
 * The cameras in the database. The service does not handle subscriptions: after each committed write the Prisma client
 * makes the master read the database again.
 */
@Injectable()
export class CameraService {
  private readonly store: EntryStore<Camera, Omit<CameraView, 'etag'>>;

  constructor(
    @Inject(PRISMA) prisma: PrismaClient,
    forecast: ImpactForecast,
    private readonly networks: CameraNetworks,
  ) {
    this.store = new EntryStore(prisma, cameraKind(networks), forecast);
  }

  getCameras({ text = '', ...page }: CamerasQuery): Promise<Page<CameraView>> {
    return this.store.list(page, { cameraIdentifier: containing(text) });
  }

  getCamera(cameraIdentifier: string): Promise<CameraView> {
    return this.store.read(cameraIdentifier);
  }

  async addCamera(data: CreateCamera): Promise<CameraView> {
    this.networks.check(data);
    return this.store.add(data);
  }

  async updateCamera(
    cameraIdentifier: string,
    data: UpdateCamera,
    precondition: Precondition = null,
  ): Promise<CameraView> {
    this.networks.check(data);
    return this.store.change(cameraIdentifier, data, precondition);
  }

  putCameras({ items }: PutCameras, options: PutOptions): Promise<PutResult> {
    return this.store.put(items, options);
  }

  /** With `detach` displays that use it stay, without a camera. */
  removeCamera(cameraIdentifier: string, options: RemoveOptions = {}): Promise<void> {
    return this.store.remove(cameraIdentifier, options);
  }

  previewRemoval(cameraIdentifier: string): Promise<Removal> {
    return this.store.previewRemoval(cameraIdentifier);
  }
}
