// How fresh the page is: what is old looks old, and says since when.

import {byId, setAttribute, setText} from './dom.js';
import {span} from './words.js';

const LATE_MILLIS = 3_000;
const GONE_MILLIS = 12_000;
const WORDS = {starting: 'Connecting', live: 'Live', late: 'Reconnecting', gone: 'Reconnecting'};

let seen = null;
let failing = false;
let state = 'starting';

/** The server has answered. */
export function answeredNow() {
  seen = performance.now();
  failing = false;
  show();
}

/** The server has not answered, or could not. */
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

/** For who can't see it: only when it changes for better or worse. */
function announce(before, now) {
  if (now === 'live' && (before === 'late' || before === 'gone')) {
    setText(byId('announce'), 'Connected again.');
  } else if (now === 'late' || (now === 'gone' && before === 'starting')) {
    setText(byId('announce'), 'The server can’t be reached. What is shown is old. Reconnecting.');
  }
}

setInterval(show, 250);
