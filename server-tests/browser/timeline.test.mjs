// The timeline: zoom, pan, replay, links, bands, hand-overs and tokens.

import assert from 'node:assert/strict';
import {lockHash, openPage, startServer, test, until} from './lab.mjs';

test('the history of a lock, and a link to it', async () => {
  const server = await startServer({nodes: 3});
  const client = server.client();
  const first = await client.acquire('a', {label: 'first'});
  const second = client.acquire('a', {label: 'second', wait: '1m'});
  const page = await openPage(server, {hash: lockHash('a')});
  await page.locator('.line li', {hasText: 'second'}).waitFor();
  await server.node(0, 'down');
  await page.locator('.timeline .band.down').waitFor({state: 'attached'});
  await client.release(first);
  await second;
  await page.locator('.timeline .hand-over').waitFor({state: 'attached'});
  await until(async () => assert.equal(await page.locator('.timeline .rung').count(), 2));
  await page.locator('.timeline .restart').waitFor({state: 'attached'});

  await page.getByRole('button', {name: 'Zoom in'}).click();
  await page.getByText('30 s until now').waitFor();
  await page.getByRole('group', {name: /^Timeline/}).focus();
  await page.keyboard.press('-');
  await page.keyboard.press('-');
  await page.getByText('2 min 0 s until now').waitFor();
  await page.keyboard.press('ArrowLeft');
  assert.match(page.url(), /\?span=120000&to=\d+$/);

  const other = await openPage(server, {hash: new URL(page.url()).hash});
  await other.locator('.timeline-head .count', {hasText: /^2 min 0 s until \S+ \d\d:\d\d:\d\d$/}).waitFor();
  await page.keyboard.press('Home');
  await page.getByText('2 min 0 s until now').waitFor();
  await page.locator('.timeline .owner', {hasText: 'first'}).waitFor();

  await page.getByRole('button', {name: 'Replay'}).click();
  await page.locator('.timeline .cursor').waitFor({state: 'attached'});
  await page.getByRole('button', {name: 'Stop'}).click();
  await until(async () => assert.equal(await page.locator('.timeline .cursor').count(), 0));
  assert.deepEqual(page.complaints, []);
});

test('the holder always has a lane', async () => {
  const server = await startServer();
  const client = server.client();
  await client.acquire('a', {label: 'long-since'});
  const page = await openPage(server, {hash: `${lockHash('a')}?span=1000`});
  await page.locator('.timeline .owner', {hasText: 'long-since'}).waitFor();
  await until(async () => assert.ok(await page.locator('.timeline .held').evaluate((bar) => Number(bar.getAttribute('width')) > 500)));
});

test('without a majority the holder’s lane stays and looks uncertain, and a quarantine is not a failure', async () => {
  const server = await startServer({nodes: 3});
  const client = server.client();
  await client.acquire('a', {label: 'me'});
  const page = await openPage(server, {hash: lockHash('a')});
  await page.locator('.timeline .owner', {hasText: 'me'}).waitFor();
  await server.node(0, 'down');
  await server.node(1, 'down');
  await server.node(2, 'down');
  await page.locator('.timeline .uncertain').waitFor({state: 'attached'});
  const late = await openPage(server, {hash: lockHash('a')});
  await late.locator('.timeline .uncertain').waitFor({state: 'attached'});

  await server.node(0, 'forgetful', 60_000);
  await server.node(2, 'up');
  for (const one of [page, late]) {
    await one.locator('.timeline .band.quarantined').waitFor({state: 'attached'});
    await until(async () => assert.equal(await one.locator('.timeline .band.down').count(), 3)); // of node-1 only until its quarantine
    await one.locator('.timeline .owner', {hasText: 'me'}).waitFor();
  }
  await server.node(0, 'up');
  await until(async () => assert.equal(await page.locator('.state').getAttribute('data-tone'), 'good'));
  await page.locator('.timeline .band.quarantined').waitFor({state: 'attached'}); // it stays in the picture
  await page.locator('.timeline .uncertain').waitFor({state: 'attached'});
  assert.deepEqual([...page.complaints, ...late.complaints], []);
});

test('events from before the server started, and a link to them', async () => {
  const server = await startServer({data: true});
  const client = server.client();
  await client.release(await client.acquire('a', {label: 'early'}));
  const {atMillis} = (await client.get('/v1/history?lock=a')).events.at(-1);
  await server.stop();
  await server.again();
  const page = await openPage(server, {hash: lockHash('a')});
  await page.locator('.events li[data-kind="released"]', {hasText: 'early'}).waitFor();
  await page.locator('.timeline .owner', {hasText: 'early'}).waitFor();

  const [from, to] = [atMillis + 100 - 60_000, atMillis + 100];
  const asked = [];
  const other = await openPage(server);
  other.on('request', (request) => asked.push(new URL(request.url())));
  await other.goto(`${server.uri}/${lockHash('a')}?span=60000&to=${to}`);
  await other.locator('.timeline .owner', {hasText: 'early'}).waitFor();
  await until(() => assert.ok(asked.some(({pathname, searchParams}) => pathname === '/v1/history' && searchParams.get('from') === String(from) && searchParams.get('to') === String(to)), asked.join(' ')));
  assert.deepEqual([...page.complaints, ...other.complaints], []);
});
