/** How many sightings are on the screen. */
const VISIBLE = 12;
/** More than the log of a display holds, so that no repetition is shown. */
const REMEMBERED = 2_000;
/** The replica sends something every 2 s. Milliseconds. */
const SILENCE = 6_000;
/** Another page shows the display. */
const REPLACED = 4001;

const STATES = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  replaced: 'Shown elsewhere',
};

const display = decodeURIComponent(location.pathname.split('/').at(-1));
/** The same for all connections of this page, so that it does not replace itself. */
const page = [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join('');

const element = (id) => document.getElementById(id);
/** Ids of the latest detections, oldest first. */
const seen = new Set();
/** Where the next connection continues. */
let position = '0-0';
let attempts = 0;
/** Whether a user has just opened the page. A page that reconnects by itself does not replace another page. */
let opened = true;

function show(state) {
  element('state').textContent = STATES[state];
  document.body.dataset.state = state;
  element('replaced').hidden = state !== 'replaced';
  if (state !== 'live') element('replica').textContent = '–';
}

function connect() {
  const socket = new WebSocket(`${location.protocol.replace('http', 'ws')}//${location.host}/screens`);
  let timer;
  let over = false;

  // Does not wait for the end of a connection: a frozen replica never confirms it.
  const end = (code) => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    socket.close();
    if (code === REPLACED) return show('replaced');
    show('reconnecting');
    // At first immediately, then rarely. The random part keeps many displays from connecting at the same time.
    setTimeout(connect, Math.min(200 * 2 ** attempts++, 4_000) * (0.5 + Math.random()));
  };
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(end, SILENCE);
  };

  socket.addEventListener('open', () =>
    socket.send(JSON.stringify({ event: 'hello', data: { display, page, after: position, opened } })),
  );
  socket.addEventListener('message', ({ data: text }) => {
    if (over) return;
    heard();
    const { event, data } = JSON.parse(text);
    if (event === 'welcome') welcome(data);
    if (event === 'sighting') receive(data);
  });
  socket.addEventListener('close', ({ code }) => end(code));
  heard();
}

function welcome({ cameras, replica }) {
  attempts = 0;
  opened = false;
  show('live');
  element('replica').textContent = replica;
  element('cameras').textContent = cameras.join(' · ');
}

/** At least once: the same detection may come again, also with another position. */
function receive({ position: reached, sighting }) {
  position = reached;
  if (seen.has(sighting.detectionId)) return;
  seen.add(sighting.detectionId);
  if (seen.size > REMEMBERED) seen.delete(seen.values().next().value);

  const list = element('sightings');
  list.prepend(itemOf(sighting));
  if (list.children.length > VISIBLE) list.lastElementChild.remove();
  element('empty').hidden = true;
}

/** Text only, because workers wrote it. */
function itemOf({ detectionId, camera, plate, car, at }) {
  const item = document.createElement('li');
  item.dataset.id = detectionId;
  item.dataset.camera = camera;
  item.append(
    textOf('plate', plate || 'no plate'),
    textOf('car', car || 'unknown car'),
    textOf('camera', camera),
    textOf('time', new Date(at).toLocaleTimeString('en-GB')),
  );
  return item;
}

function textOf(name, text) {
  const span = document.createElement('span');
  span.className = name;
  span.textContent = text;
  return span;
}

document.title = display;
element('name').textContent = display;
element('take').addEventListener('click', () => {
  opened = true;
  show('connecting');
  connect();
});
show('connecting');
connect();
