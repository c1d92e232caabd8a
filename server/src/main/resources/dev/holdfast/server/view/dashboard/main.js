// The page: its current view, how often it requests data, and its keyboard shortcuts.

import {lockAddress, read} from './address.js';
import {Cluster} from './cluster.js';
import {byId, el, setAttribute, setText} from './dom.js';
import {Figures} from './figures.js';
import {answeredNow, failedNow} from './freshness.js';
import {Groups} from './groups.js';
import {Elections, Semaphores} from './kinds.js';
import {LockView, problemOf} from './lock.js';
import {Losses} from './losses.js';
import {isClustered, showNodes} from './nodes.js';
import {get, Refused} from './server.js';
import {follow} from './stream.js';
import {Table} from './table.js';
import {askForToken, forgetToken, token} from './token.js';
import {Waits} from './waits.js';
import {visible} from './words.js';

const PERIOD_MILLIS = 1_000;
const HIDDEN_MILLIS = 10_000;
const SOON_MILLIS = 120;
const MOST_STREAMS = 2; // a browser opens at most six connections to a server
const FOLLOWED = 'granted,queued,left,adopted,moved,released,lost,broken,expired,node-up,node-down'; // no extensions, which are too many with ten thousand locks

const figures = new Figures();
const table = new Table(() => soon());
let overview = null;
let view = null;
let shown = null;
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
  byId('cluster-view').hidden = !isClustered(overview);
  showWho();
  if (view === null) {
    route();
  }
  followAll();
  figures.update(overview);
  await view.refresh(overview);
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
  if (unfollow.length === 0 && overview.prefixes.length <= MOST_STREAMS && !(view instanceof LockView)) {
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

const VIEWS = {cluster: Cluster, losses: Losses, groups: Groups, waits: Waits, semaphores: Semaphores, elections: Elections};

function route() {
  const {view: wanted, name} = read();
  const address = location.hash;
  if (view && shown === address) {
    return;
  }
  shown = address;
  view?.stop?.();
  endStreams();
  if (wanted === 'lock') {
    view = new LockView(name, overview, soon);
  } else if (VIEWS[wanted]) {
    view = new VIEWS[wanted](soon);
  } else {
    table.readAddress();
    view = table;
  }
  document.title = view.title ? `${view.title} · Holdfast` : 'Holdfast';
  for (const link of byId('views').children) {
    setAttribute(link, 'aria-current', link.dataset.view === (VIEWS[wanted] ? wanted : 'locks') && wanted !== 'lock' ? 'page' : null);
  }
  document.querySelector('.views [aria-current]')?.scrollIntoView({block: 'nearest', inline: 'nearest'});
  byId('view').replaceChildren(banner(''), ...(view === table ? [figures.element] : []), view.element);
}

addEventListener('hashchange', () => {
  const before = view?.name;
  route();
  scrollTo(0, 0);
  (view === table ? rowOf(before) ?? byId('content') : view.element.querySelector('h1')).focus({preventScroll: view !== table});
  ask();
});

function rowOf(name) {
  return name === undefined ? null : document.querySelector(`.name a[href="${CSS.escape(lockAddress(name))}"]`);
}

addEventListener('keydown', (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || document.querySelector('dialog[open]');
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey && view === table) {
    event.preventDefault();
    table.filter.focus();
  } else if (event.key === 'Escape' && !typing && view !== table) {
    location.hash = '#/';
  } else if (event.key === 'Escape' && event.target === table.filter && table.filter.value !== '') {
    event.preventDefault();
    table.filter.value = '';
    table.want({contains: ''});
  }
});

addEventListener('visibilitychange', () => !document.hidden && ask());
byId('skip').addEventListener('click', () => byId('content').focus());
setInterval(() => view?.tick(), PERIOD_MILLIS);
setText(byId('where'), location.host);
ask();
