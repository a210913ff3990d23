import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { entriesApi, type Entry } from '../api/entries-api.js';
import { PagedAnswer } from '../api/paged-answer.js';
import { routeHref } from '../shell/route.js';
import { changeParameters, route } from '../shell/router.js';
import { Button } from '../ui/button.js';
import { WithCopy } from '../ui/copy-button.js';
import { EmptyState } from '../ui/empty-state.js';
import { FilterBar } from '../ui/filter-bar.js';
import { MoreButton } from '../ui/more-button.js';
import { Problem } from '../ui/notice.js';
import { Page } from '../ui/page.js';
import { Table, type TableColumn } from '../ui/table.js';
import { Text, TextLink } from '../ui/text.js';
import { askToRemove } from './ask-to-remove.js';
import { EntryDialog } from './entry-dialog.js';
import { ImportDialog } from './import-dialog.js';
import { KINDS, kindOf, labelOf, type EntryKind } from './kinds.js';
import './manage.css';
import { useNames } from './use-names.js';

const PAGE_SIZE = 50;

/** What the operator is doing. */
type Task = { readonly type: 'edit'; readonly entry: Entry | null } | { readonly type: 'import' };

/** Cameras, displays, playlists and models, as the database has them. */
export function ManagePage() {
  const { parameters } = route.value;
  const kind = kindOf(parameters.kind);
  const { text = '' } = parameters;
  return (
    <Page
      title="Manage"
      end={
        <div class="actions" role="group" aria-label="What to manage">
          {KINDS.map(({ name, title }) => (
            <Button
              key={name}
              size="small"
              pressed={name === kind.name}
              onClick={() => changeParameters({ kind: name, text: '' })}
            >
              {title}
            </Button>
          ))}
        </div>
      }
    >
      <Entries key={kind.name} kind={kind} text={text} />
    </Page>
  );
}

interface EntriesProps {
  readonly kind: EntryKind;
  readonly text: string;
}

function Entries({ kind, text }: EntriesProps) {
  const list = useMemo(() => new PagedAnswer((query) => entriesApi.list(kind.name, query)), [kind]);
  const task = useSignal<Task | null>(null);
  const { loading } = list;
  const load = () => list.begin({ text, sort: kind.nameKey, limit: PAGE_SIZE });
  useEffect(() => void load(), [text]);

  const close = () => (task.value = null);
  const doing = task.value;
  const found = list.items.value;
  return (
    <>
      <FilterBar
        label={`Find ${kind.title.toLowerCase()}`}
        searches={`Text in the name of a ${kind.one}`}
        placeholder={kind.title}
      >
        <Button size="small" busy={loading.value} icon="refresh" onClick={() => void load()}>
          Refresh
        </Button>
        <Button
          changes
          size="small"
          tone="primary"
          onClick={() => (task.value = { type: 'edit', entry: null })}
        >
          Add a {kind.one}…
        </Button>
        <Button changes size="small" onClick={() => (task.value = { type: 'import' })}>
          Import CSV…
        </Button>
      </FilterBar>
      <div aria-busy={loading.value}>
        <div role="alert">
          <Problem of={list}>The list cannot be read.</Problem>
        </div>
        {found === null && loading.value && <p class="muted">Reading the list…</p>}
        {found !== null && found.length === 0 && (
          <EmptyState title={text === '' ? `No ${kind.title.toLowerCase()}` : `No ${kind.one} matches`}>
            Add one, or import several from a CSV file.
          </EmptyState>
        )}
        {found !== null && found.length > 0 && (
          <div class="panel">
            <EntryTable
              kind={kind}
              entries={found}
              onEdit={(entry) => (task.value = { type: 'edit', entry })}
              onRemoved={() => void load()}
            />
          </div>
        )}
      </div>
      <MoreButton list={list}>Show more</MoreButton>
      {doing?.type === 'edit' && (
        <EntryDialog kind={kind} entry={doing.entry} onClose={close} onSaved={() => void load()} />
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
  readonly onEdit: (entry: Entry) => void;
  readonly onRemoved: () => void;
}

function EntryTable({ kind, entries, onEdit, onRemoved }: EntryTableProps) {
  const nameOf = (entry: Entry) => String(entry[kind.nameKey]);
  const names = useNames(kind);
  const columns: readonly TableColumn<Entry>[] = [
    { title: labelOf(kind, kind.nameKey), cell: (entry) => <EntryName kind={kind} name={nameOf(entry)} /> },
    ...kind.columns.map((column) => ({
      title: labelOf(kind, column),
      cell: (entry: Entry) => <Text value={names(column, entry[column])} />,
    })),
    {
      title: <span class="hidden-visually">Actions</span>,
      cell: (entry) => (
        <div class="manage-actions">
          <Button
            changes
            size="small"
            label={`Edit ${kind.one} ${nameOf(entry)}`}
            onClick={() => onEdit(entry)}
          >
            Edit…
          </Button>
          <Button
            changes
            size="small"
            label={`Remove ${kind.one} ${nameOf(entry)}`}
            onClick={() => askToRemove(kind, entry, onRemoved)}
          >
            Remove…
          </Button>
        </div>
      ),
    },
  ];
  return (
    <Table
      label={kind.title}
      class="manage-table"
      columns={columns}
      items={entries}
      keyOf={(entry) => String(entry[kind.pathKey])}
    />
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
