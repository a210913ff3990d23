import type { EntryKindName } from '../api/entries-api.js';
import type { PageName } from '../shell/route.js';

export interface FieldBase {
  /** As in the API. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** A new entry must have it. */
  readonly required?: boolean;
}

/** A field of a form, and a column of an import. */
export type Field = FieldBase &
  (
    | { readonly type: 'text' }
    /** The stored value is never shown, because it may hold a password. An empty field keeps it. */
    | { readonly type: 'secret' }
    | { readonly type: 'number' }
    /** Refers to another entry by `key`, which is shown by its name. */
    | { readonly type: 'reference'; readonly to: EntryKindName; readonly key: string }
  );

export interface EntryKind {
  readonly name: EntryKindName;
  readonly title: string;
  /** Its name in a sentence. */
  readonly one: string;
  /** The field by which paths name an entry. */
  readonly pathKey: string;
  /** The field that people choose. */
  readonly nameKey: string;
  readonly fields: readonly Field[];
  /** Fields shown in the list beside the name. */
  readonly columns: readonly string[];
  /** The page that shows what the cluster does with it, found there by its name. */
  readonly page?: PageName;
}

const CROP: readonly Field[] = [
  { name: 'cropX1', label: 'Left', type: 'number' },
  { name: 'cropY1', label: 'Top', type: 'number' },
  { name: 'cropX2', label: 'Right', type: 'number' },
  { name: 'cropY2', label: 'Bottom', type: 'number' },
];

/** The service changes these together. */
export const isCrop = ({ name }: Field): boolean => name.startsWith('crop');

export const KINDS: readonly EntryKind[] = [
  {
    name: 'cameras',
    title: 'Cameras',
    one: 'camera',
    pathKey: 'cameraIdentifier',
    nameKey: 'cameraIdentifier',
    columns: ['rtspUrl', 'snapshotInterval'],
    page: 'cameras',
    fields: [
      { name: 'cameraIdentifier', label: 'Identifier', type: 'text', required: true },
      {
        name: 'rtspUrl',
        label: 'Stream URL',
        type: 'secret',
        required: true,
        hint: 'rtsp, rtsps, http or https, with user name and password if the camera needs them',
      },
      { name: 'snapshotUrl', label: 'Snapshot URL', type: 'secret', hint: 'http or https' },
      { name: 'snapshotInterval', label: 'Snapshot interval (ms)', type: 'number' },
      ...CROP,
    ],
  },
  {
    name: 'displays',
    title: 'Displays',
    one: 'display',
    pathKey: 'displayId',
    nameKey: 'displayId',
    columns: ['name', 'cameraIdentifier', 'playlistId'],
    page: 'subscriptions',
    fields: [
      { name: 'displayId', label: 'Identifier', type: 'text', required: true },
      { name: 'name', label: 'Name', type: 'text' },
      {
        name: 'cameraIdentifier',
        label: 'Camera',
        type: 'reference',
        to: 'cameras',
        key: 'cameraIdentifier',
      },
      { name: 'playlistId', label: 'Playlist', type: 'reference', to: 'playlists', key: 'id' },
      ...CROP,
    ],
  },
  {
    name: 'playlists',
    title: 'Playlists',
    one: 'playlist',
    pathKey: 'id',
    nameKey: 'name',
    columns: ['id', 'modelId'],
    fields: [
      { name: 'name', label: 'Name', type: 'text', required: true },
      { name: 'modelId', label: 'Model', type: 'reference', to: 'models', key: 'id' },
    ],
  },
  {
    name: 'models',
    title: 'Models',
    one: 'model',
    pathKey: 'id',
    nameKey: 'name',
    columns: ['id', 'fileKey'],
    fields: [
      { name: 'name', label: 'Name', type: 'text', required: true },
      {
        name: 'fileKey',
        label: 'File',
        type: 'text',
        required: true,
        hint: 'Object key or path of the file in the model store',
      },
    ],
  },
];

export function kindOf(name: string | undefined): EntryKind {
  return KINDS.find((kind) => kind.name === name) ?? KINDS[0]!;
}

/** The label of a field or of a column. */
export function labelOf({ fields }: EntryKind, name: string): string {
  return fields.find((field) => field.name === name)?.label ?? (name === 'id' ? 'Number' : name);
}
