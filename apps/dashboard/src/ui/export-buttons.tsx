import { useState } from 'preact/hooks';
import { messageOf } from '../api/api-error.js';
import { clusterApi, type ExportedList } from '../api/cluster-api.js';
import { Button } from './button.js';
import { showToast } from './toasts.js';

export interface ExportButtonsProps {
  readonly list: ExportedList;
  /** The filter of the page, as the service takes it. */
  readonly query: object;
}

const FORMATS = { csv: 'CSV', jsonl: 'JSON lines' } as const;

/** Saves a list with the filter of its page as a file. */
export function ExportButtons({ list, query }: ExportButtonsProps) {
  const [busy, setBusy] = useState<string | null>(null);
  const save = async (format: keyof typeof FORMATS) => {
    setBusy(format);
    try {
      const url = URL.createObjectURL(await clusterApi.exported(list, { ...query, format }));
      const link = document.createElement('a');
      link.href = url;
      link.download = `${list}.${format}`;
      link.click();
      // The browser reads it after the click.
      window.setTimeout(() => URL.revokeObjectURL(url), 60_000);
    } catch (error) {
      showToast('bad', `The ${list} could not be exported: ${messageOf(error)}`);
    } finally {
      setBusy(null);
    }
  };
  return (
    <>
      {(['csv', 'jsonl'] as const).map((format) => (
        <Button key={format} busy={busy === format} tone="quiet" onClick={() => void save(format)}>
          Export {FORMATS[format]}
        </Button>
      ))}
    </>
  );
}
