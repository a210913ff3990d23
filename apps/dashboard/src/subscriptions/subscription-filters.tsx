import { byName, workerName } from '../overview/workers.js';
import { Button } from '../ui/button.js';
import { ExportButtons } from '../ui/export-buttons.js';
import { FilterBar } from '../ui/filter-bar.js';
import { SelectField, type SelectOption } from '../ui/select-field.js';
import { STATUS_NAMES } from './reason-text.js';
import { isFiltering, NO_FILTER, type SubscriptionFilter, STATUSES } from './subscription-entry.js';
import type { SubscriptionList } from './subscription-index.js';
import { NO_WORKER, toggleStatus } from './subscription-query.js';

export interface SubscriptionFiltersProps {
  readonly filter: SubscriptionFilter;
  readonly list: SubscriptionList;
  /** All workers, including those without a subscription. */
  readonly workerUrls: readonly string[];
  readonly onChange: (filter: SubscriptionFilter) => void;
}

/** Means "all", because an empty text means "none". */
const ALL = '*';

export function SubscriptionFilters({ filter, list, workerUrls, onChange }: SubscriptionFiltersProps) {
  const change = (part: Partial<SubscriptionFilter>) => onChange({ ...filter, ...part });
  return (
    <FilterBar
      label="Filter subscriptions"
      searches="Text in display, camera, worker or reason"
      placeholder="Display, camera, worker, model, reason"
      text={filter.text}
      onText={(text) => change({ text })}
    >
      <div class="filter-chips" role="group" aria-label="Status">
        {STATUSES.map((status) => (
          <Button
            key={status}
            pressed={filter.statuses.has(status)}
            onClick={() => change({ statuses: toggleStatus(filter.statuses, status) })}
          >
            {STATUS_NAMES[status]}
            <span class="filter-count">{list.statuses[status].toLocaleString('en-GB')}</span>
          </Button>
        ))}
      </div>
      <SelectField
        label="Worker"
        value={filter.workerUrl ?? ALL}
        options={[[ALL, 'All workers'], ...optionsOf(filter, list, workerUrls)]}
        onChange={(chosen) => change({ workerUrl: chosen === ALL ? null : chosen })}
      />
      {isFiltering(filter) && (
        <Button tone="quiet" icon="cross" onClick={() => onChange(NO_FILTER)}>
          Clear filter
        </Button>
      )}
      <ExportButtons
        list="subscriptions"
        query={{
          ...(filter.text !== '' && { text: filter.text }),
          ...(filter.statuses.size > 0 && { status: Array.from(filter.statuses).join(',') }),
          ...(filter.workerUrl !== null && { worker: filter.workerUrl || NO_WORKER }),
        }}
      />
    </FilterBar>
  );
}

/** Every worker that exists, has a subscription or is selected, with its count. */
function optionsOf(
  { workerUrl }: SubscriptionFilter,
  { workers }: SubscriptionList,
  workerUrls: readonly string[],
): readonly SelectOption<string>[] {
  const urls = new Set([...workers.keys(), ...workerUrls, ...(workerUrl === null ? [] : [workerUrl])]);
  return Array.from(urls)
    .sort(byName)
    .map((url) => {
      const count = workers.get(url)?.count ?? 0;
      return [url, `${url === '' ? 'No worker' : workerName(url)} (${count.toLocaleString('en-GB')})`];
    });
}
