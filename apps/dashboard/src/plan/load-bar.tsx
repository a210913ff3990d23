import './load-bar.css';

/** A load as a bar and a number; above 1 it exceeds a limit. */
export function LoadBar({ load }: { readonly load: number }) {
  const shown = Math.max(0, Math.min(1, load));
  return (
    <span class={load > 1 ? 'load-bar load-bar-over' : 'load-bar'}>
      <span class="load-bar-track" aria-hidden="true">
        <span class="load-bar-fill" style={{ inlineSize: `${shown * 100}%` }} />
      </span>
      <span class="load-bar-number">{percent(load)}</span>
    </span>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
