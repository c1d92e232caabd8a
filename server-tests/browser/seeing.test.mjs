// The page shows all events of a lock: grant, queue, hand-over, extension, release and loss.

import assert from 'node:assert/strict';
import {lockHash, openPage, row, startServer, test, until} from './lab.mjs';

test('a lock from its grant to its end, in the table', async () => {
  const server = await startServer({nodes: 3});
  const client = server.client();
  const page = await openPage(server);
  await page.getByText('No lock is in use').waitFor();

  const first = await client.acquire('orders:42', {label: 'billing-1', ttl: '60s'});
  const line = row(page, 'orders:42');
  await line.getByText('billing-1').waitFor();
  assert.equal(await line.locator('.token').textContent(), String(first.token));
  assert.equal(await line.locator('.strip i[data-vote="for"]').count(), 3);
  assert.equal(await line.locator('.queue').textContent(), '0');
  await page.locator('[data-figure="held"] .number', {hasText: /^1$/}).waitFor();

  const second = client.acquire('orders:42', {label: 'billing-2', ttl: '60s', wait: '1m'});
  await line.locator('.queue', {hasText: '1'}).waitFor();
  await page.locator('[data-figure="waiting"] .number', {hasText: /^1$/}).waitFor();
  assert.equal(await page.locator('[data-figure="wait"] a').textContent(), 'orders:42');

  await client.release(first);
  await line.getByText('billing-2').waitFor();
  const granted = await second;
  await until(async () => assert.equal(await line.locator('.token').textContent(), String(granted.token)));
  assert.ok(granted.token > first.token);

  await client.release(granted);
  await page.getByText('No lock is in use').waitFor();
  assert.deepEqual(page.complaints, []);
});

test('the bar of a lease drains, and jumps when it is extended', async () => {
  const server = await startServer();
  const client = server.client();
  const lease = await client.acquire('a', {ttl: '40s'});
  const page = await openPage(server);
  const fill = row(page, 'a').locator('.bar i');
  const width = () => fill.evaluate((bar) => new DOMMatrix(getComputedStyle(bar).transform).a);
  const full = await until(async () => {
    const now = await width();
    assert.ok(now > 0.3);
    return now;
  });
  const drained = await until(async () => {
    const now = await width();
    assert.ok(now < full - 0.15, `${now} of ${full}`);
    return now;
  });
  await client.extend(lease);
  await until(async () => assert.ok(await width() > drained + 0.1));
  await page.locator('.bar[data-renewed="true"]').waitFor();
});

test('the view of a lock: queue in order, votes, timeline, events', async () => {
  const server = await startServer({nodes: 3});
  const client = server.client();
  const first = await client.acquire('orders:42', {label: 'billing-1'});
  const page = await openPage(server, {hash: lockHash('orders:42')});
  await page.getByText('Held, with the votes of 3 of 3 nodes').waitFor();

  const second = client.acquire('orders:42', {label: 'billing-2', wait: '1m'});
  await page.locator('.line li', {hasText: 'billing-2'}).waitFor();
  const third = client.acquire('orders:42', {label: 'billing-3', wait: '1m'});
  await page.locator('.line li', {hasText: 'billing-3'}).waitFor();
  assert.deepEqual(await page.locator('.line li strong').allTextContents(), ['billing-2', 'billing-3']);
  await until(async () => assert.deepEqual(await page.locator('.matrix tbody tr').evaluateAll((rows) => rows.map((line) => [line.querySelector('th span').textContent, ...[...line.querySelectorAll('td')].map((cell) => cell.dataset.kind)])),
    [['billing-1', 'vote', 'vote', 'vote'], ['billing-2', 'queue', 'queue', 'queue'], ['billing-3', 'queue', 'queue', 'queue']]));

  await client.extend(first);
  await page.locator('.events li[data-kind="extended"]', {hasText: 'billing-1'}).waitFor();
  await page.locator('.timeline .extended').first().waitFor({state: 'attached'});
  await client.release(first);
  const granted = await second;
  await page.locator('.holders strong', {hasText: 'billing-2'}).waitFor();
  await until(async () => assert.deepEqual(await page.locator('.line li strong').allTextContents(), ['billing-3']));
  assert.deepEqual(await page.locator('.timeline .owner').evaluateAll((texts) => texts.map((text) => text.firstChild.textContent)), ['no holder known', 'billing-1', 'billing-2', 'billing-3']);
  assert.equal(await page.locator('.timeline .held').count(), 2);
  assert.equal(await page.locator('.timeline .waiting').count(), 2);
  await client.release(granted);
  await client.release(await third);
  await page.getByText('Free: no holder and no waiter').waitFor();
  assert.deepEqual(page.complaints, []);
});

test('extensions by the server for a session are shown', async () => {
  const server = await startServer();
  const session = await server.client().session();
  const {lease} = await session.ask({op: 'acquire', lock: 'kept', ttl: '900ms'});
  const page = await openPage(server, {hash: lockHash('kept')});
  await page.locator('.events li[data-kind="extended"]', {hasText: /, \d+ times/}).waitFor();
  const marks = await page.locator('.timeline .extended').count();
  await until(async () => assert.ok(await page.locator('.timeline .extended').count() > marks + 1));
  await session.ask({op: 'release', lease: lease.id});
  await page.getByText('Free: no holder and no waiter').waitFor();
  assert.equal(await page.locator('.timeline .held').count(), 1);
  assert.deepEqual(page.complaints, []);
});

test('a page that opens later shows earlier events too', async () => {
  const server = await startServer();
  const client = server.client();
  const lease = await client.acquire('late', {label: 'early-bird'});
  await client.extend(lease);
  await client.release(lease);
  await client.acquire('late', {label: 'forgetful', ttl: '100ms'});
  await until(async () => assert.equal((await client.get('/v1/overview')).expired, 1));

  const page = await openPage(server, {hash: lockHash('late')});
  await page.locator('.events li[data-kind="expired"]', {hasText: 'forgetful'}).waitFor();
  assert.deepEqual(await page.locator('.events li').evaluateAll((lines) => lines.map((line) => line.dataset.kind)), ['expired', 'granted', 'released', 'extended', 'granted']);
  assert.equal(await page.locator('.timeline .loss').count(), 1);
  await page.goto(`${server.uri}/#/`);
  await page.locator('[data-figure="lost"] .number', {hasText: /^1$/}).waitFor();
});

test('the command for a terminal quotes the lock name as one word', async () => {
  const server = await startServer();
  const page = await openPage(server, {hash: lockHash("it's $HOME; ls")});
  const lines = page.locator('.lines code');
  await lines.first().waitFor();
  assert.equal(await lines.first().textContent(), `holdfast status --node ${server.uri.replace('http', 'holdfast')} 'it'\\''s $HOME; ls'`);
  assert.ok((await lines.nth(1).textContent()).includes("--data-urlencode 'lock=it'\\''s $HOME; ls'"));
});

test('a left page keeps no connection', async () => {
  const server = await startServer();
  await server.client().acquire('a', {label: 'me'});
  const page = await openPage(server);
  await row(page, 'a').waitFor();
  for (let visit = 2; visit <= 9; visit++) {
    await page.goto('about:blank');
    await page.goto(`${server.uri}/`);
    await row(page, 'a').waitFor({timeout: 10_000}); // later, the browser would have dropped the first left pages
  }
  assert.deepEqual(page.complaints, []);
});

test('a page that is shown again follows the events again', async () => {
  const server = await startServer();
  const page = await openPage(server, {hash: lockHash('a')});
  await page.getByText('Free: no holder').waitFor();
  const follows = page.waitForRequest(/\/v1\/events/);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/v1/events'));
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true})));
  await ended;
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true})));
  await follows;
  await server.client().acquire('a', {label: 'returned'});
  await page.locator('.events li', {hasText: 'returned'}).waitFor();
  assert.deepEqual(page.complaints, []);
});
