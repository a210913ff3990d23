import { feed } from '../feed/feed.js';
import { EmptyState } from '../ui/empty-state.js';
import { ModelTable } from './model-table.js';

/** Which version of each model runs where. */
export function ModelsPage() {
  const models = Object.values(feed.models.value).sort((a, b) =>
    a.modelName.localeCompare(b.modelName, 'en'),
  );
  return (
    <div class="page">
      <div class="page-header">
        <div>
          <h1>Models</h1>
          <p class="muted">Which version of a model’s file the cameras run, and the way back.</p>
        </div>
      </div>
      {models.length === 0 ? (
        <EmptyState title="No versions">
          No camera runs a model whose file has a known version, or the master has not read them yet.
        </EmptyState>
      ) : (
        <ModelTable models={models} />
      )}
    </div>
  );
}
