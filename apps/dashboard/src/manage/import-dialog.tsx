import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { ApiError, messageOf } from '../api/api-error.js';
import { entriesApi, newRequestKey, type Item, type PutAnswer } from '../api/entries-api.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Notice } from '../ui/notice.js';
import { Table, type TableColumn } from '../ui/table.js';
import { showToast } from '../ui/toasts.js';
import { counted } from '../wording/counted.js';
import { ImpactView } from './impact-view.js';
import { columnsOf, readRows, rowProblems, type RowProblem } from './import-rows.js';
import type { EntryKind } from './kinds.js';

/** Rows that were checked, with the versions of the entries that they change. */
interface Checked {
  readonly answer: PutAnswer;
  readonly items: readonly Item[];
  readonly lines: readonly number[];
  readonly requestKey: string;
}

export interface ImportDialogProps {
  readonly kind: EntryKind;
  readonly onClose: () => void;
  readonly onImported: () => void;
}

/** Imports entries from CSV: first a dry run, then all rows or none. */
export function ImportDialog({ kind, onClose, onImported }: ImportDialogProps) {
  const text = useSignal('');
  const busy = useSignal(false);
  const problems = useSignal<readonly RowProblem[]>([]);
  const checked = useSignal<Checked | null>(null);
  const id = useId();

  const change = (given: string) => {
    text.value = given;
    problems.value = [];
    checked.value = null;
  };
  const attempt = async (lines: readonly number[], work: () => Promise<unknown>) => {
    busy.value = true;
    problems.value = [];
    try {
      await work();
    } catch (error) {
      checked.value = null;
      const issues = error instanceof ApiError ? error.issues : [];
      problems.value =
        issues.length > 0
          ? rowProblems(issues, lines)
          : [{ line: null, field: '', detail: messageOf(error) }];
    } finally {
      busy.value = false;
    }
  };
  const check = async () => {
    const rows = readRows(kind, text.value);
    const { lines } = rows;
    await attempt(lines, async () => {
      if (rows.items.length === 0) return;
      const answer = await entriesApi.preview(kind.name, rows.items);
      if (rows.problems.length > 0) return;
      const items = rows.items.map((item, index) => {
        const etag = answer.items[index]?.etag ?? null;
        return etag === null ? item : { ...item, etag };
      });
      checked.value = { answer, items, lines, requestKey: newRequestKey() };
    });
    const found = [...rows.problems, ...problems.value];
    const wrong = new Set(problems.value.map(({ line }) => line));
    const rest = lines.flatMap((line, index) => (wrong.has(line) ? [] : [index]));
    // The service looks at what rows refer to once all that it gets are well formed.
    if (rest.length > 0 && rest.length < lines.length)
      await attempt(
        rest.map((index) => lines[index]!),
        () =>
          entriesApi.preview(
            kind.name,
            rest.map((index) => rows.items[index]!),
          ),
      );
    problems.value = [...found, ...problems.value].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  };
  const save = ({ items, lines, requestKey }: Checked) =>
    attempt(lines, async () => {
      const { created, changed } = await entriesApi.put(kind.name, items, requestKey);
      showToast('ok', `Imported: ${created} added, ${changed} changed.`);
      onImported();
      onClose();
    });

  const dry = checked.value;
  return (
    <Dialog
      title={`Import ${kind.title.toLowerCase()} from CSV`}
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {dry === null ? (
            <Button
              tone="primary"
              busy={busy.value}
              disabled={text.value.trim() === ''}
              title={text.value.trim() === '' ? 'Choose a file, or paste its content' : undefined}
              onClick={() => void check()}
            >
              Check
            </Button>
          ) : (
            <Button tone="primary" busy={busy.value} onClick={() => void save(dry)}>
              Import
            </Button>
          )}
        </>
      }
    >
      <p>
        The first line names the columns: <code class="import-columns">{columnsOf(kind).join(',')}</code>. A
        row with a known {kind.nameKey === 'name' ? 'name' : 'identifier'} changes that {kind.one}; an empty
        cell keeps what is stored.
      </p>
      <div class="entry-field">
        <label for={`${id}-file`}>File</label>
        <input
          id={`${id}-file`}
          type="file"
          accept=".csv,text/csv"
          onChange={async ({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file !== undefined) change(await file.text());
          }}
        />
      </div>
      <div class="entry-field">
        <label for={`${id}-text`}>Content</label>
        <textarea
          id={`${id}-text`}
          rows={8}
          class="mono"
          spellcheck={false}
          value={text.value}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      </div>
      <div role="alert">{problems.value.length > 0 && <Problems problems={problems.value} />}</div>
      <div aria-live="polite">
        {dry !== null && (
          <>
            <p>
              <strong>{summaryOf(dry.answer)}</strong> Nothing has been written yet.
            </p>
            {dry.answer.impact !== null && <ImpactView impact={dry.answer.impact} />}
          </>
        )}
      </div>
    </Dialog>
  );
}

const PROBLEM_COLUMNS: readonly TableColumn<RowProblem>[] = [
  { title: 'Line', number: true, cell: ({ line }) => line ?? '–' },
  { title: 'Field', cell: ({ field }) => <bdi>{field === '' ? '–' : field}</bdi> },
  { title: 'Problem', cell: ({ detail }) => <bdi>{detail}</bdi> },
];

function Problems({ problems }: { readonly problems: readonly RowProblem[] }) {
  return (
    <>
      <Notice tone="bad">Nothing was imported: {counted(problems.length, 'problem')}.</Notice>
      <div class="import-problems">
        <Table
          label="Problems"
          columns={PROBLEM_COLUMNS}
          items={problems}
          keyOf={(_problem, index) => index}
        />
      </div>
    </>
  );
}

function summaryOf({ created, changed, unchanged }: PutAnswer): string {
  const parts = [
    created > 0 && `${created} to add`,
    changed > 0 && `${changed} to change`,
    unchanged > 0 && `${unchanged} unchanged`,
  ].filter(Boolean);
  return `${parts.join(', ')}.`;
}
