// Events of the server, read from a fetch, which, unlike an EventSource, can send the token.

import {answered, Refused} from './server.js';

const SILENCE_MILLIS = 25_000; // the server sends a line every ten seconds
const FIRST_PAUSE_MILLIS = 500;
const LONGEST_PAUSE_MILLIS = 5_000;

/**
 * Follows the events of a prefix until the caller stops it, and reconnects automatically. While the tab shows another page it has no connection: the browser
 * keeps left pages, and each of them would use one of its few connections to the server.
 *
 * @param query parameters of /v1/events
 * @param lastId the id of the last known event, null for none
 * @param listener receives each event, and 'missed' when some events were lost
 * @returns a function that stops it
 */
export function follow(query, lastId, listener) {
  const place = {lastId};
  const listeners = new AbortController();
  let stopped = new AbortController();
  const start = () => {
    stopped = new AbortController();
    run(query, place, listener, stopped.signal);
  };
  start();
  addEventListener('pagehide', () => stopped.abort(), {signal: listeners.signal});
  addEventListener('pageshow', ({persisted}) => persisted && start(), {signal: listeners.signal});
  return () => {
    listeners.abort();
    stopped.abort();
  };
}

async function run(query, place, listener, stopped) {
  let pause = FIRST_PAUSE_MILLIS;
  while (!stopped.aborted) {
    const started = performance.now();
    try {
      await readOnce(query, place, listener, stopped);
    } catch (failure) {
      if (failure instanceof Refused && (failure.status === 401 || failure.status === 403)) {
        return; // the page's other requests report it as well
      }
    }
    pause = performance.now() - started > SILENCE_MILLIS ? FIRST_PAUSE_MILLIS : Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
    await new Promise((resolve) => setTimeout(resolve, pause * (0.75 + Math.random() / 2)));
  }
}

async function readOnce(query, place, listener, stopped) {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MILLIS);
  try {
    const headers = {Accept: 'text/event-stream'};
    if (place.lastId) {
      headers['Last-Event-ID'] = place.lastId;
    }
    const response = await answered(`/v1/events?${new URLSearchParams(query)}`, {headers}, AbortSignal.any([stopped, silence.signal]));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const parse = parser(place, listener);
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MILLIS);
      parse(chunk.value);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Parses the lines of WHATWG HTML §9.2, as far as this server writes them. */
function parser(place, listener) {
  let rest = '';
  let data = '';
  return (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (line.startsWith('id: ')) {
        place.lastId = line.slice(4);
      } else if (line.startsWith('data: ')) {
        data = line.slice(6);
      } else if (line === '' && data) {
        listener(JSON.parse(data));
        data = '';
      }
    }
  };
}
