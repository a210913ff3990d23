const PERIOD = 2_000;

const element = (id) => document.getElementById(id);

function tile(title, texts, href) {
  const item = document.createElement('li');
  const heading = document.createElement(href ? 'a' : 'strong');
  heading.textContent = title;
  if (href) heading.href = href;
  const lines = texts.map((text) => {
    const line = document.createElement('p');
    line.className = 'muted';
    line.textContent = text;
    return line;
  });
  item.append(heading, ...lines);
  return item;
}

async function refresh() {
  const answer = await fetch('/wall', { signal: AbortSignal.timeout(PERIOD) });
  if (!answer.ok) return;
  const { displays, replicas } = await answer.json();
  element('displays').replaceChildren(
    ...displays.map(({ display, cameras, replica }) =>
      tile(
        display,
        [cameras.join(' · '), replica === null ? 'not connected' : `connected to ${replica}`],
        `/displays/${encodeURIComponent(display)}`,
      ),
    ),
  );
  element('replicas').replaceChildren(...replicas.map(({ name, role }) => tile(name, [role])));
}

async function keepFresh() {
  // During a failover no replica may answer. The next attempt is soon.
  await refresh().catch(() => undefined);
  setTimeout(keepFresh, PERIOD);
}

void keepFresh();
