// The freshness of the page: old data looks old, and shows its age.

import {byId, setAttribute, setText} from './dom.js';
import {span} from './words.js';

const LATE_MILLIS = 3_000;
const GONE_MILLIS = 12_000;
const WORDS = {starting: 'Connecting', live: 'Live', late: 'Reconnecting', gone: 'Reconnecting'};

let seen = null;
let failing = false;
let state = 'starting';

/** Records that the server has answered. */
export function answeredNow() {
  seen = performance.now();
  failing = false;
  show();
}

/** Records that the server has not answered, or could not. */
export function failedNow() {
  failing = true;
  show();
}

export function isLive() {
  return state === 'live';
}

function age() {
  return seen === null ? Infinity : performance.now() - seen;
}

function stateNow() {
  if (seen === null) {
    return failing ? 'gone' : 'starting';
  }
  if (age() > GONE_MILLIS) {
    return 'gone';
  }
  return failing || age() > LATE_MILLIS ? 'late' : 'live';
}

function show() {
  const now = stateNow();
  if (now !== state) {
    announce(state, now);
    state = now;
  }
  setAttribute(byId('fresh'), 'data-state', state);
  setAttribute(document.documentElement, 'data-fresh', state);
  setText(byId('fresh-word'), WORDS[state]);
  setText(byId('fresh-age'), seen === null ? '' : state === 'live' ? `${(age() / 1000).toFixed(1)} s ago` : `as of ${span(age())} ago`);
}

/** Announces a change of the freshness for screen readers, but only when the freshness gets better or worse. */
function announce(before, now) {
  if (now === 'live' && (before === 'late' || before === 'gone')) {
    setText(byId('announce'), 'Connected again.');
  } else if (now === 'late' || (now === 'gone' && before === 'starting')) {
    setText(byId('announce'), 'The server can’t be reached. The page shows old data. Reconnecting.');
  }
}

setInterval(show, 250);
