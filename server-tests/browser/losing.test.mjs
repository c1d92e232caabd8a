// The page claims nothing that it cannot know: nodes that fail, servers that stop and come back.

import assert from 'node:assert/strict';
import {lockHash, openPage, row, startServer, test, until, violations} from './lab.mjs';

const chip = (page, name) => page.locator('.chip', {hasText: name});

test('a node that fails and comes back', async () => {
  const server = await startServer({nodes: 3});
  await server.client().acquire('a', {label: 'me'});
  const page = await openPage(server);
  await page.getByText('3 of 3 nodes vote; the majority survives the loss of 1').waitFor();

  await server.node(0, 'down');
  await page.getByText('2 of 3 nodes vote; the loss of one ends the majority').waitFor();
  await chip(page, 'node-1').getByText(/down for \d+ s/).waitFor();
  await row(page, 'a').locator('.strip[data-certain="true"] i[data-vote="silent"]').waitFor();
  assert.equal(await row(page, 'a').getAttribute('data-state'), 'held');

  await server.node(0, 'quarantined', 12_000);
  await chip(page, 'node-1').getByText(/quarantine, \d+ s more/).waitFor();
  await server.node(0, 'up');
  await page.getByText('3 of 3 nodes vote').waitFor();
  assert.deepEqual(page.complaints, []);
});

test('the vote of one node of three makes no lock green', async () => {
  const server = await startServer({nodes: 3});
  await server.client().acquire('a', {label: 'me'});
  const page = await openPage(server);
  await row(page, 'a').locator('.strip[data-certain="true"]').waitFor();

  await server.node(1, 'down');
  await server.node(2, 'down');
  await page.getByText('No majority: 1 of 3 nodes votes, and 2 are needed.').waitFor();
  const line = row(page, 'a');
  await line.getByText('me?', {exact: true}).waitFor();
  assert.equal(await line.locator('.strip').getAttribute('data-certain'), 'false');
  assert.equal(await line.locator('.bar').getAttribute('data-certain'), 'false');
  await page.locator('[data-figure="held"] .number', {hasText: '?'}).waitFor();
  assert.equal(await page.getByText(/no majority/i).count(), 1); // the banner says it, and no row repeats it
  assert.equal(await line.locator('.queue').textContent(), '?');
  const green = await line.locator('.strip i').first().evaluate((dot) => getComputedStyle(dot).backgroundColor);

  await page.goto(`${server.uri}/${lockHash('a')}`);
  await page.getByText('Uncertain: 1 of 3 nodes answers and votes').waitFor();
  assert.equal(await page.locator('.state').getAttribute('data-tone'), 'bad');

  await server.node(1, 'up');
  await page.getByText('Held, with the votes of 2 of 3 nodes').waitFor();
  await page.goto(`${server.uri}/#/`);
  await row(page, 'a').locator('.strip[data-certain="true"]').waitFor();
  assert.notEqual(await row(page, 'a').locator('.strip i').first().evaluate((dot) => getComputedStyle(dot).backgroundColor), green);
});

test('a node that may have lost its state makes no lock free', async () => {
  const server = await startServer({nodes: 3});
  const page = await openPage(server);
  await server.client().acquire('a', {label: 'me'});
  await row(page, 'a').locator('.strip[data-certain="true"]').waitFor();
  await server.node(0, 'forgetful', 60_000);
  await server.node(1, 'down');
  await row(page, 'a').getByText('me?', {exact: true}).waitFor();
  await page.locator('[data-figure="held"] .number', {hasText: '?'}).waitFor();
  await page.locator('[data-figure="hold"] .note', {hasText: 'not known'}).waitFor();
});

test('a server that stops and comes back', async () => {
  const server = await startServer();
  await server.client().acquire('before', {label: 'me'});
  const page = await openPage(server);
  await row(page, 'before').waitFor();
  await page.locator('#fresh[data-state="live"]').waitFor();

  await server.stop();
  await page.locator('#fresh[data-state="late"]').waitFor();
  assert.match(await page.locator('#fresh').textContent(), /Reconnecting as of \d+ s ago/);
  assert.match(await page.locator('#announce').textContent(), /Reconnecting/);
  await row(page, 'before').waitFor(); // the known lock is still there,
  await until(async () => assert.match(await page.locator('#view').evaluate((view) => getComputedStyle(view).filter), /saturate|grayscale/)); // but looks old
  assert.deepEqual(await violations(page), []); // and stays readable
  await row(page, 'before').locator('.left', {hasText: /^\?$/}).waitFor();

  await server.again();
  await page.locator('#fresh[data-state="live"]').waitFor();
  assert.equal(await page.locator('#announce').textContent(), 'Connected again.');
  await page.getByText('No lock is in use').waitFor();
  await server.client().acquire('after', {label: 'me'});
  await row(page, 'after').waitFor();
  assert.deepEqual(page.complaints, []);
});

test('the view of a lock recovers too', async () => {
  const server = await startServer();
  await server.client().acquire('a', {label: 'before'});
  const page = await openPage(server, {hash: lockHash('a')});
  await page.locator('.holders strong', {hasText: 'before'}).waitFor();
  await server.stop();
  await page.locator('#fresh[data-state="late"]').waitFor();
  await server.again();
  await page.getByText('Free: no holder').waitFor();
  await server.client().acquire('a', {label: 'anew'});
  await page.locator('.holders strong', {hasText: 'anew'}).waitFor();
  await page.locator('.events li', {hasText: 'anew'}).waitFor();
});

test('without a majority no figure and no statement looks certain', async () => {
  const server = await startServer({nodes: 3});
  const client = server.client();
  await client.acquire('a', {label: 'me'});
  client.acquire('a', {label: 'waits', wait: '10m'}).catch(() => {});
  const page = await openPage(server, {hash: '#/waits'});
  await page.getByText('No circle', {exact: true}).waitFor();
  await server.node(1, 'down');
  await server.node(2, 'down');
  await page.locator('.state[data-tone="bad"]', {hasText: /too few nodes answer and vote/}).waitFor();
  assert.equal(await page.getByText('No client waits for a holder').count(), 0);

  await page.goto(`${server.uri}/#/groups`);
  await page.locator('tbody td[data-head="Need attention"][data-some="false"]', {hasText: /^\?$/}).waitFor(); // the banner says it, and no row repeats it
  await page.goto(`${server.uri}/#/`);
  await page.locator('[data-figure="wait"][data-tone="quiet"] .number', {hasText: /^(\d+ s\?|–)$/}).waitFor();
  await page.goto(`${server.uri}/${lockHash('a')}`);
  await page.getByRole('heading', {name: /^Queue(: 1\?)?$/}).waitFor();
  assert.equal(await page.getByText('The queue is empty.').count(), 0);
  assert.deepEqual(page.complaints, []);
});

test('a node in quarantine says nothing of a queue, and no waits are no error', async () => {
  const server = await startServer({nodes: 1});
  const page = await openPage(server, {hash: '#/waits'});
  await page.getByText('No client waits for a holder').waitFor();
  await server.node(0, 'forgetful', 60_000);
  await page.getByText('Not known: too few nodes answer and vote', {exact: true}).waitFor();
  await page.goto(`${server.uri}/#/`);
  await page.getByText('No lock is known', {exact: true}).waitFor();
  await page.goto(`${server.uri}/${lockHash('a')}`);
  await until(async () => assert.equal(await page.getByText('Not known: too few nodes answer and vote.', {exact: true}).count(), 2));
  assert.equal(await page.getByText(/The queue is empty|No node has a vote/).count(), 0);
  assert.deepEqual(page.complaints, []);
});
