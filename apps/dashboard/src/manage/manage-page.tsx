import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { messageOf } from '../api/api-error.js';
import { entriesApi, type Entry } from '../api/entries-api.js';
import { routeHref } from '../shell/route.js';
import { replaceParameters, route } from '../shell/router.js';
import { Button } from '../ui/button.js';
import { WithCopy } from '../ui/copy-button.js';
import { EmptyState } from '../ui/empty-state.js';
import { FilterBar } from '../ui/filter-bar.js';
import { Notice } from '../ui/notice.js';
import { Text, TextLink } from '../ui/text.js';
import { EntryDialog } from './entry-dialog.js';
import { ImportDialog } from './import-dialog.js';
import { KINDS, kindOf, labelOf, type EntryKind } from './kinds.js';
import './manage.css';
import { RemoveDialog } from './remove-dialog.js';

const PAGE_SIZE = 50;

/** What the operator is doing. */
type Task =
  | { readonly type: 'edit'; readonly entry: Entry | null }
  | { readonly type: 'remove'; readonly entry: Entry }
  | { readonly type: 'import' };

/** Cameras, displays, playlists and models, as the database has them. */
export function ManagePage() {
  const { page, parameters } = route.value;
  const kind = kindOf(parameters.kind);
  const { text = '' } = parameters;
  return (
    <div class="page">
      <div class="page-header">
        <h1>Manage</h1>
        <div class="actions" role="group" aria-label="What to manage">
          {KINDS.map(({ name, title }) => (
            <Button
              key={name}
              size="small"
              pressed={name === kind.name}
              onClick={() => replaceParameters(page, { kind: name })}
            >
              {title}
            </Button>
          ))}
        </div>
      </div>
      <Entries
        key={kind.name}
        kind={kind}
        text={text}
        onSearch={(changed) => replaceParameters(page, { kind: kind.name, text: changed })}
      />
    </div>
  );
}

interface EntriesProps {
  readonly kind: EntryKind;
  readonly text: string;
  readonly onSearch: (text: string) => void;
}

function Entries({ kind, text, onSearch }: EntriesProps) {
  const entries = useSignal<readonly Entry[] | null>(null);
  const next = useSignal<string | null>(null);
  const problem = useSignal<string | null>(null);
  const loading = useSignal(false);
  const asked = useSignal(0);
  const task = useSignal<Task | null>(null);

  const load = async (cursor?: string) => {
    const question = ++asked.value;
    loading.value = true;
    try {
      const page = await entriesApi.list(kind.name, {
        ...(text !== '' && { text }),
        sort: kind.nameKey,
        limit: PAGE_SIZE,
        cursor,
      });
      if (question !== asked.value) return;
      entries.value = cursor === undefined ? page.items : [...(entries.value ?? []), ...page.items];
      next.value = page.nextCursor;
      problem.value = null;
    } catch (error) {
      if (question === asked.value) problem.value = messageOf(error);
    } finally {
      if (question === asked.value) loading.value = false;
    }
  };
  useEffect(() => void load(), [text]);

  const close = () => (task.value = null);
  const doing = task.value;
  const found = entries.value;
  return (
    <>
      <FilterBar
        label={`Find ${kind.title.toLowerCase()}`}
        searches={`Text in the name of a ${kind.one}`}
        placeholder={kind.title}
        text={text}
        onText={onSearch}
      >
        <Button size="small" busy={loading.value} icon="refresh" onClick={() => void load()}>
          Refresh
        </Button>
        <Button size="small" tone="primary" onClick={() => (task.value = { type: 'edit', entry: null })}>
          Add a {kind.one}…
        </Button>
        <Button size="small" onClick={() => (task.value = { type: 'import' })}>
          Import CSV…
        </Button>
      </FilterBar>
      <div>
        <div role="alert">
          {problem.value !== null && <Notice tone="warn">The list cannot be read. {problem.value}</Notice>}
        </div>
        <div class="panel" aria-busy={loading.value}>
          {found === null && loading.value && <p class="manage-wait muted">Reading the list…</p>}
          {found !== null && found.length === 0 && (
            <EmptyState title={text === '' ? `No ${kind.title.toLowerCase()}` : `No ${kind.one} matches`}>
              Add one, or import several from a CSV file.
            </EmptyState>
          )}
          {found !== null && found.length > 0 && (
            <EntryTable kind={kind} entries={found} onTask={(chosen) => (task.value = chosen)} />
          )}
        </div>
      </div>
      {next.value !== null && (
        <div class="actions">
          <Button busy={loading.value} onClick={() => void load(next.value ?? undefined)}>
            Show more
          </Button>
        </div>
      )}
      {doing?.type === 'edit' && (
        <EntryDialog kind={kind} entry={doing.entry} onClose={close} onSaved={() => void load()} />
      )}
      {doing?.type === 'remove' && (
        <RemoveDialog kind={kind} entry={doing.entry} onClose={close} onRemoved={() => void load()} />
      )}
      {doing?.type === 'import' && (
        <ImportDialog kind={kind} onClose={close} onImported={() => void load()} />
      )}
    </>
  );
}

interface EntryTableProps {
  readonly kind: EntryKind;
  readonly entries: readonly Entry[];
  readonly onTask: (task: Task) => void;
}

function EntryTable({ kind, entries, onTask }: EntryTableProps) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={`Table of ${kind.title.toLowerCase()}`}>
      <table class="table manage-table" aria-label={kind.title}>
        <thead>
          <tr>
            <th scope="col">{labelOf(kind, kind.nameKey)}</th>
            {kind.columns.map((column) => (
              <th key={column} scope="col">
                {labelOf(kind, column)}
              </th>
            ))}
            <th scope="col">
              <span class="hidden-visually">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => {
            const name = String(entry[kind.nameKey]);
            return (
              <tr key={String(entry[kind.pathKey])}>
                <th scope="row">
                  <EntryName kind={kind} name={name} />
                </th>
                {kind.columns.map((column) => (
                  <td key={column}>
                    <Text value={String(entry[column] ?? '–')} />
                  </td>
                ))}
                <td class="manage-actions">
                  <Button
                    size="small"
                    label={`Edit ${kind.one} ${name}`}
                    onClick={() => onTask({ type: 'edit', entry })}
                  >
                    Edit…
                  </Button>
                  <Button
                    size="small"
                    label={`Remove ${kind.one} ${name}`}
                    onClick={() => onTask({ type: 'remove', entry })}
                  >
                    Remove…
                  </Button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function EntryName({ kind, name }: { readonly kind: EntryKind; readonly name: string }) {
  if (kind.page === undefined) return <Text value={name} />;
  return (
    <WithCopy id={name}>
      <TextLink href={routeHref(kind.page, { text: name })} value={name} />
    </WithCopy>
  );
}
