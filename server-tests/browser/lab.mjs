// Code that the tests share: lock servers whose nodes can fail (the JUnit test that starts these tests runs them), clients, and a Chromium.

import {readFile} from 'node:fs/promises';
import {after, test as declare} from 'node:test';
import {chromium} from 'playwright-core';

const LAB = process.env.HOLDFAST_LAB;
export const OPERATOR = process.env.HOLDFAST_OPERATOR;
export const READER = process.env.HOLDFAST_READER;
export const PATIENCE = 60_000;

if (!LAB) {
  throw new Error('these tests are run by BrowserTest: make browser');
}

async function lab(path, parameters = {}) {
  const response = await fetch(`${LAB}${path}?${new URLSearchParams(parameters)}`, {method: 'POST'});
  const text = await response.text();
  if (!response.ok) {
    throw new Error(text);
  }
  return JSON.parse(text);
}

const opened = [];

/** Declares a test. It closes its pages and stops its servers when it ends, since they would take the machine's time from the next one. */
export function test(name, body) {
  declare(name, async (context) => {
    try {
      await body(context);
    } finally {
      for (const close of opened.splice(0).reverse()) {
        await close();
      }
    }
  });
}

/** Starts a lock server on its own node, on the given number of nodes that can be switched off, or on a node in memory that servers share by its name. With data, its history outlasts a stop. */
export async function startServer({nodes = 0, tokens = false, memory = '', data = false} = {}) {
  const {id, uri} = await lab('/start', {nodes, tokens, memory, data});
  const server = {
    uri,
    stop: () => lab('/stop', {id}),
    again: () => lab('/again', {id}),
    node: (number, state, millis = 0) => lab('/node', {id, number, state, millis}),
    client: (token) => new Client(uri, token),
  };
  opened.push(() => server.stop());
  return server;
}

/** Starts a cluster of three servers, which can be stopped and started again by their names. */
export async function startCluster() {
  const {id, servers} = await lab('/cluster');
  opened.push(() => lab('/cluster/end', {id}));
  return {
    servers: Object.fromEntries(Object.entries(servers).map(([name, uri]) => [name, {uri, client: () => new Client(uri)}])),
    stop: (name) => lab('/cluster/stop', {id, name}),
    again: (name) => lab('/cluster/again', {id, name}),
    leader: () => until(async () => {
      const {leader} = await new Client(Object.values(servers)[0]).get('/v1/cluster');
      if (!leader) {
        throw new Error('no leader yet');
      }
      return leader;
    }),
  };
}

/** A client of the HTTP API, as it could be in any language. */
class Client {
  constructor(uri, token) {
    this.uri = uri;
    this.headers = {'Content-Type': 'application/json', ...(token ? {Authorization: `Bearer ${token}`} : {})};
  }

  async post(path, body = {}) {
    const response = await fetch(this.uri + path, {method: 'POST', headers: this.headers, body: JSON.stringify(body)});
    return {status: response.status, ...(await response.json())};
  }

  acquire(lock, more = {}) {
    return this.post('/v1/leases', {lock, ttl: '1h', ...more});
  }

  extend(lease, ttl) {
    return this.post(`/v1/leases/${lease.id}/extend`, ttl ? {ttl} : {});
  }

  release(lease) {
    return this.post(`/v1/leases/${lease.id}/release`);
  }

  /** Opens a session, whose leases the server extends. Its WebSocket is a browser's, since not every Node.js has one. It sends a message each second. */
  async session() {
    const page = await openPage(this);
    await page.evaluate(async () => {
      const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/v1/session`);
      await new Promise((resolve, reject) => Object.assign(socket, {onopen: resolve, onerror: reject}));
      const asked = new Map();
      let last = 0;
      socket.onmessage = ({data}) => data.split('\n').map((line) => JSON.parse(line)).forEach((message) => asked.get(message.id)?.(message));
      window.ask = (message) => new Promise((resolve) => {
        asked.set(++last, resolve);
        socket.send(JSON.stringify({id: last, ...message}));
      });
      await window.ask({op: 'hello'});
      setInterval(() => window.ask({op: 'alive'}), 1000);
    });
    return {ask: (message) => page.evaluate((wanted) => window.ask(wanted), message)};
  }

  async get(path) {
    return (await fetch(this.uri + path, {headers: this.headers})).json();
  }
}

let browser = null;

/** Opens a page in a browser context without stored data. {@code page.complaints} collects the errors of the page, for the test to check. */
export async function openPage(server, {hash = '', ...options} = {}) {
  browser ??= await chromium.launch({
    executablePath: process.env.HOLDFAST_CHROMIUM,
    ignoreDefaultArgs: ['--disable-back-forward-cache'], // the browser keeps left pages, as that of a user does
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options});
  opened.push(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.complaints = [];
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) {
      page.complaints.push(message.text());
    }
  });
  page.on('dialog', (dialog) => page.complaints.push(`a dialog opened: ${dialog.message()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(server.uri) && !request.url().startsWith('data:')) {
      page.complaints.push(`asked for ${request.url()}`);
    }
  });
  await page.goto(`${server.uri}/${hash}`);
  return page;
}

after(() => browser?.close());

export function lockHash(name) {
  return `#/lock/${encodeURIComponent(name)}`;
}

/** The row of a lock, by the exact name that the page shows. */
export function row(page, name) {
  return page.locator('tbody tr', {has: page.getByRole('link', {name, exact: true})});
}

/** Repeats the check until it passes. After {@code patience} ms it throws the last failure. */
export async function until(check, patience = PATIENCE) {
  const end = Date.now() + patience;
  for (;;) {
    try {
      return await check();
    } catch (failure) {
      if (Date.now() > end) {
        throw failure;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

const AXE = new URL('node_modules/axe-core/axe.min.js', import.meta.url).pathname;

/** The violations that axe-core finds on the page. The page's policy forbids scripts from elsewhere, so the test injects axe through the browser's debugger. */
export async function violations(page) {
  await page.evaluate(await readFile(AXE, 'utf8'));
  return page.evaluate(async () => (await window.axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}))
    .violations.flatMap(({id, nodes}) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`)));
}
