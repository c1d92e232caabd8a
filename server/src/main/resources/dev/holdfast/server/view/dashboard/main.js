// The page: its current view, how often it requests data, and its keyboard shortcuts.

import {byId, el, setText} from './dom.js';
import {Figures} from './figures.js';
import {answeredNow, failedNow} from './freshness.js';
import {LockView, problemOf} from './lock.js';
import {showNodes} from './nodes.js';
import {get, Refused} from './server.js';
import {follow} from './stream.js';
import {Table} from './table.js';
import {askForToken, forgetToken, token} from './token.js';
import {visible} from './words.js';

const PERIOD_MILLIS = 1_000;
const HIDDEN_MILLIS = 10_000;
const SOON_MILLIS = 120;
const MOST_STREAMS = 2; // a browser opens at most six connections to a server
const FOLLOWED = 'granted,queued,left,released,lost,broken,expired,node-up,node-down'; // not every extension of ten thousand locks

const figures = new Figures();
const table = new Table(() => soon());
let overview = null;
let lockView = null;
let unfollow = [];
let timer = null;
let asking = false;
let again = false;

// ---- requests

/** Sends one request after the other: at once after an event, and otherwise once a second. */
async function ask() {
  clearTimeout(timer);
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  again = false;
  try {
    await askOnce();
  } catch (failure) {
    await failed(failure);
  }
  asking = false;
  timer = setTimeout(ask, again ? SOON_MILLIS : document.hidden ? HIDDEN_MILLIS : PERIOD_MILLIS);
}

function soon() {
  if (asking) {
    again = true;
  } else {
    clearTimeout(timer);
    timer = setTimeout(ask, SOON_MILLIS);
  }
}

async function askOnce() {
  overview = await get('/v1/overview');
  showNodes(overview);
  showWho();
  if (lockView === null && byId('view').firstChild === null) {
    route();
  }
  followAll();
  figures.update(overview);
  await (lockView ?? table).refresh();
  showProblem('');
  answeredNow();
}

async function failed(failure) {
  if (failure instanceof Refused && failure.status === 401) {
    endStreams();
    await askForToken(visible(failure.message));
    again = true;
  } else if (failure instanceof Refused && failure.status >= 400 && failure.status < 500 && failure.status !== 429) {
    showProblem(problemOf(failure));
    answeredNow();
  } else {
    failedNow();
    if (failure instanceof Refused && failure.status > 0) {
      showProblem(problemOf(failure)); // the server answers, but without the data
    } else if (!(failure instanceof Refused)) {
      console.error(failure);
    }
  }
}

function showProblem(text) {
  const problem = byId('view').problem;
  if (problem) {
    problem.hidden = text === '';
    setText(problem, text);
  } else if (text) {
    byId('view').replaceChildren(banner(text));
  }
}

function banner(text) {
  const made = el('p', {class: 'banner', 'data-tone': 'bad', role: 'alert', hidden: text === ''}, text);
  byId('view').problem = made;
  return made;
}

/** Follows all events, which trigger requests at once. With a token of many prefixes the page follows no events, and sends one request a second. */
function followAll() {
  if (unfollow.length === 0 && overview.prefixes.length <= MOST_STREAMS && lockView === null) {
    unfollow = overview.prefixes.map((prefix) => follow({prefix, types: FOLLOWED}, null, () => soon()));
  }
}

function endStreams() {
  unfollow.forEach((stop) => stop());
  unfollow = [];
}

function showWho() {
  const who = byId('who');
  who.hidden = token() === '';
  if (!who.hidden && who.client !== overview.client) {
    who.client = overview.client;
    who.replaceChildren(el('span', {}, `token ${visible(overview.client)}`), el('button', {type: 'button', onclick: leave}, 'Forget'));
  }
}

function leave() {
  forgetToken();
  location.reload();
}

// ---- navigation

function route() {
  const found = /^#\/lock\/(.+)$/.exec(location.hash);
  let name = null;
  try {
    name = found && decodeURIComponent(found[1]);
  } catch {
    name = null; // the address has a typing error
  }
  if (lockView && lockView.name === name) {
    return;
  }
  lockView?.stop();
  endStreams();
  lockView = name === null ? null : new LockView(name, overview, soon);
  document.title = name === null ? 'Holdfast' : `${visible(name)} · Holdfast`;
  byId('view').replaceChildren(banner(''), ...(lockView ? [lockView.element] : [figures.element, table.element]));
}

addEventListener('hashchange', () => {
  const before = lockView?.name;
  route();
  scrollTo(0, 0);
  (lockView ? byId('lock-title') : rowOf(before) ?? byId('content')).focus({preventScroll: lockView !== null});
  ask();
});

function rowOf(name) {
  return name === undefined ? null : document.querySelector(`.name a[href="#/lock/${CSS.escape(encodeURIComponent(name))}"]`);
}

addEventListener('keydown', (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || document.querySelector('dialog[open]');
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey && lockView === null) {
    event.preventDefault();
    table.filter.focus();
  } else if (event.key === 'Escape' && !typing && lockView !== null) {
    location.hash = '#/';
  } else if (event.key === 'Escape' && event.target === table.filter && table.filter.value !== '') {
    event.preventDefault();
    table.filter.value = '';
    table.want({contains: ''});
  }
});

addEventListener('visibilitychange', () => !document.hidden && ask());
byId('skip').addEventListener('click', () => byId('content').focus());
setInterval(() => (lockView?.holders.isConnected ? lockView.tick() : table.tick()), PERIOD_MILLIS);
setText(byId('where'), location.host);
ask();
