import type { DetectionBox, DetectionItem } from '@detector-cluster/dashboard-protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, messageOf } from '../api/api-error.js';
import { clusterApi } from '../api/cluster-api.js';
import { formatTime } from '../time/instant.js';
import { Icon } from '../ui/icon.js';
import './camera-picture.css';
import { useInView } from './use-in-view.js';
import { ViewLoader } from './view-loader.js';

/** Every picture of this page is fetched here. */
export const pictures = new ViewLoader(clusterApi.picture);

export function latestPicture(identifier: string): string {
  return `/api/cameras/${encodeURIComponent(identifier)}/image`;
}

export function pictureOfDetection(identifier: string, picture: string, worker: string): string {
  return `${latestPicture(identifier)}?${new URLSearchParams({ picture, worker })}`;
}

/** Of a detection whose picture the service keeps. */
function keptPicture(detectionId: string): string {
  return `/api/detections/${encodeURIComponent(detectionId)}/picture`;
}

export interface CameraPictureProps {
  /** A subscription, or a camera. */
  readonly identifier: string;
  /** The detection whose picture is shown, and no other. Default: the latest picture of the camera. */
  readonly moment?: Pick<DetectionItem, 'detectionId' | 'hasPicture' | 'pictureId' | 'workerUrl'>;
  readonly boxes?: readonly DetectionBox[];
  /** How often a picture in view is fetched again, in milliseconds. Default: it is fetched once. */
  readonly refresh?: number;
  /** Why no picture exists; then none is fetched. Null: a picture should exist. */
  readonly unavailable?: string | null;
  /** For screen readers. */
  readonly alt: string;
}

type Shown = { readonly url: string; readonly at: number } | { readonly problem: string };

const NO_PICTURE = 'No picture of this moment';

/** A picture of a camera with boxes. It is fetched only while it is in view. */
export function CameraPicture({
  identifier,
  moment,
  boxes = [],
  refresh,
  unavailable: given = null,
  alt,
}: CameraPictureProps) {
  const frame = useRef<HTMLDivElement>(null);
  const inView = useInView(frame);
  const [shown, setShown] = useState<Shown | null>(null);
  const pictureId = moment?.pictureId ?? null;
  const unavailable = given ?? (moment !== undefined && pictureId === null ? NO_PICTURE : null);
  const path =
    moment?.hasPicture === true
      ? keptPicture(moment.detectionId)
      : pictureId === null
        ? latestPicture(identifier)
        : pictureOfDetection(identifier, pictureId, moment!.workerUrl);
  const done = shown !== null && 'url' in shown && refresh === undefined;

  useEffect(() => {
    if (!inView || done || unavailable !== null) return undefined;
    const ending = new AbortController();
    let timer = 0;
    const load = async () => {
      const next = await fetchPicture(path, pictureId !== null, ending.signal);
      if (ending.signal.aborted) {
        if ('url' in next) URL.revokeObjectURL(next.url);
        return;
      }
      // If the camera gives no new picture, the last one stays and shows its age.
      setShown((before) => ('problem' in next && before !== null && 'url' in before ? before : next));
      if (refresh !== undefined) timer = window.setTimeout(() => void load(), refresh);
    };
    void load();
    return () => {
      ending.abort();
      window.clearTimeout(timer);
    };
  }, [inView, done, path, pictureId !== null, refresh, unavailable]);

  const url = shown !== null && 'url' in shown ? shown.url : null;
  useEffect(() => (url === null ? undefined : () => URL.revokeObjectURL(url)), [url]);

  return (
    <div ref={frame} class="picture">
      {unavailable !== null ? (
        <span class="picture-none muted">{unavailable}</span>
      ) : shown === null ? (
        <span class="picture-none muted" aria-hidden="true" />
      ) : 'problem' in shown ? (
        <span class="picture-none muted">
          <Icon name="alert" /> {shown.problem}
        </span>
      ) : (
        <>
          <img src={shown.url} alt={alt} />
          <Boxes boxes={boxes} />
          {moment === undefined && <span class="picture-note">{formatTime(shown.at)}</span>}
        </>
      )}
    </div>
  );
}

function Boxes({ boxes }: { readonly boxes: readonly DetectionBox[] }) {
  if (boxes.length === 0) return null;
  return (
    <svg class="picture-boxes" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      {boxes.map(([x, y, width, height]) => (
        <rect key={`${x} ${y} ${width} ${height}`} x={x} y={y} width={width} height={height} />
      ))}
    </svg>
  );
}

/** @param isOfMoment whether no other picture may be shown */
async function fetchPicture(path: string, isOfMoment: boolean, signal: AbortSignal): Promise<Shown> {
  try {
    const { blob, ofMoment } = await pictures.load(path, signal);
    if (isOfMoment && !ofMoment) return { problem: NO_PICTURE };
    return { url: URL.createObjectURL(blob), at: Date.now() };
  } catch (error) {
    const missing = error instanceof ApiError && error.status === 404;
    return { problem: missing ? 'No picture' : messageOf(error) };
  }
}
