import { clusterApi } from '../api/cluster-api.js';
import { PictureLoader } from './picture-loader.js';

/** Every picture of this page is fetched here. */
export const pictures = new PictureLoader(clusterApi.picture);

export function latestPicture(identifier: string): string {
  return `/api/cameras/${encodeURIComponent(identifier)}/image`;
}

export function pictureOfDetection(identifier: string, picture: string, worker: string): string {
  return `${latestPicture(identifier)}?${new URLSearchParams({ picture, worker })}`;
}
