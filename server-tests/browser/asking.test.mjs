// An operator's questions: which locks need attention, why a client waits, what a lock contains.

import assert from 'node:assert/strict';
import {lockHash, openPage, row, startServer, test, until} from './lab.mjs';

const names = (page) => page.locator('tbody .name a').allTextContents();

test('locks that need attention come first, and the number of lost leases opens their list', async () => {
  const server = await startServer();
  const client = server.client();
  await client.acquire('a-quiet');
  await client.acquire('b-contended');
  client.acquire('b-contended', {label: 'waits', wait: '1m'});
  await client.acquire('c-expired', {ttl: '50ms', label: 'forgetful'});
  await client.acquire('d-expired', {ttl: '50ms'});
  await until(async () => assert.equal((await client.get('/v1/overview')).expired, 2));
  await client.acquire('c-expired', {label: 'next'});
  const page = await openPage(server);
  await until(async () => assert.deepEqual(await names(page), ['c-expired', 'b-contended', 'a-quiet']));
  assert.equal(await row(page, 'c-expired').locator('.reason[data-former="true"]').textContent(), 'a former lease: expired'); // the new holder is well
  assert.equal(await row(page, 'b-contended').locator('.reason').isVisible(), false);

  await page.locator('[data-figure="lost"] a', {hasText: /^2$/}).click();
  await page.getByRole('heading', {level: 1, name: 'Lost leases'}).waitFor();
  await until(async () => assert.equal(await page.locator('tbody tr').count(), 2));
  await page.locator('tbody tr', {hasText: 'forgetful'}).getByRole('link', {name: 'c-expired'}).click();
  await page.getByText('Held, with').waitFor();
  assert.deepEqual(page.complaints, []);
});

test('a broken lock that is free is still in the table, with the operator and the reason', async () => {
  const server = await startServer();
  const client = server.client();
  const {token} = await client.acquire('nightly', {label: 'cron'});
  await client.post('/v1/break', {lock: 'nightly', token, reason: 'hangs, INC-7'});
  const page = await openPage(server);
  await row(page, 'nightly').locator('.holder', {hasText: /^no holder; reason: hangs, INC-7$/}).waitFor();
  assert.match(await row(page, 'nightly').locator('.reason').textContent(), /^broken by /);
  assert.match(await row(page, 'nightly').locator('.reason').getAttribute('title'), /^\d+ s ago: cron .*lost its lease to a break by .*: hangs, INC-7$/);
  await page.locator('[data-figure="held"] .note', {hasText: 'of 0 locks in use'}).waitFor();
  await client.acquire('nightly', {label: 'cron-2'});
  await row(page, 'nightly').locator('.reason[data-former="true"]', {hasText: /^a former lease: broken by /}).waitFor();
  assert.deepEqual(page.complaints, []);
});

test('standby candidates raise no alarm, and semaphores and elections have views', async () => {
  const server = await startServer();
  const client = server.client();
  const record = 'holdfast-election 1\n7 1700000000000 app@host~ab12cd34/1\nnode-7\n\nstate';
  await client.acquire('leader', {value: record});
  client.acquire('leader', {wait: '1m'});
  client.acquire('leader', {wait: '1m'});
  await client.acquire('pool#0', {label: 'one'});
  await client.acquire('pool#3', {label: 'two'});
  await client.acquire('pool#gate', {label: 'first'});
  client.acquire('pool#gate', {label: 'second', wait: '1m'});
  const page = await openPage(server, {hash: '#/elections'});
  const election = page.locator('tbody tr', {hasText: 'leader'});
  await election.getByText('node-7').waitFor();
  await until(async () => assert.equal(await election.locator('td').last().textContent(), '2'));

  await page.getByRole('link', {name: 'Semaphores'}).click();
  const pool = page.locator('tbody tr', {hasText: 'pool'});
  await pool.getByText('#3 two').waitFor();
  await until(async () => assert.deepEqual(await pool.locator('td.num').allTextContents(), ['2', '2']));

  await page.getByRole('link', {name: 'Locks', exact: true}).click();
  await page.locator('[data-figure="waiting"] .number', {hasText: /^1$/}).waitFor();
  await page.getByText('2 candidates standing by').waitFor();
  await until(async () => assert.equal((await names(page))[0], 'pool#gate'));
  await page.getByLabel('Kind').selectOption('election');
  await until(async () => assert.deepEqual(await names(page), ['leader']));
  assert.deepEqual(page.complaints, []);
});

test('filter, order and page are in the address', async () => {
  const server = await startServer();
  const client = server.client();
  await Promise.all(Array.from({length: 60}, (_, i) => client.acquire(`jobs:${String(i).padStart(2, '0')}`)));
  await client.acquire('other');
  const page = await openPage(server);
  await page.getByLabel(/^Filter/).fill('^jobs:');
  await page.getByRole('button', {name: 'Lock', exact: true}).click();
  await page.getByText('60 of 60 locks').waitFor();
  await page.getByRole('button', {name: 'Next'}).click();
  await row(page, 'jobs:59').waitFor();
  const address = page.url();
  assert.match(address, /contains=%5Ejobs%3A&sort=name&offset=50/);

  const other = await openPage(server, {hash: new URL(address).hash});
  await other.getByText('51 to 60 of 60').waitFor();
  assert.equal(await other.getByLabel(/^Filter/).inputValue(), '^jobs:');
  await other.getByRole('link', {name: 'Groups'}).click();
  await other.locator('tbody tr', {hasText: 'jobs:'}).getByText('60').first().waitFor();
  await other.getByRole('link', {name: 'jobs:', exact: true}).click();
  await other.getByText('60 of 60 locks').waitFor();
  assert.deepEqual(other.complaints, []);
});

test('a lock shows its value, its seal and its holds', async () => {
  const server = await startServer();
  const client = server.client();
  for (let i = 0; i < 6; i++) {
    await client.release(await client.acquire('work', {value: 'step 3\nof 7'}));
  }
  const lease = await client.acquire('work', {value: 'step 3\nof 7', label: 'w'});
  const page = await openPage(server, {hash: lockHash('work')});
  await page.locator('.facts .value', {hasText: 'step 3'}).waitFor();
  await page.getByText(/^6 holds of this server’s clients: median/).waitFor();
  await page.getByRole('img', {name: /^Histogram of 6 holds/}).waitFor();
  await client.post(`/v1/leases/${lease.id}/seal`, {retention: '6h'});
  await page.getByText(/^Sealed by .* ago; 5 h 59 min left$/).waitFor();
  await page.getByText('Once-guard, by its seal').waitFor();
  assert.deepEqual(page.complaints, []);
});

test('why a client waits: who is ahead, and for how long', async () => {
  const server = await startServer();
  const client = server.client();
  for (let i = 0; i < 8; i++) {
    const lease = await client.acquire('busy', {label: 'before'});
    await new Promise((resolve) => setTimeout(resolve, 20)); // the length of each hold
    await client.release(lease);
  }
  await client.acquire('busy', {label: 'worker'});
  client.acquire('busy', {label: 'first', wait: '1m'});
  const page = await openPage(server, {hash: lockHash('busy')});
  await page.locator('.line li', {hasText: 'first'}).waitFor();
  client.acquire('busy', {label: 'second', wait: '1m'});
  await page.locator('.line li', {hasText: 'second'}).getByText(/^behind first/).waitFor();
  // Soon the present hold is longer than the known ones, and then the page makes no estimate.
  await page.locator('.line li').first().getByText('behind the holder worker', {exact: true}).waitFor();
  await page.getByText(/^No estimate: the holder has held it for longer than \d of 8 known holds\. Clients usually hold this lock for \d+ ms \(median\)/).waitFor();
});

test('a circle of waits is marked', async () => {
  const server = await startServer();
  const client = server.client();
  await client.acquire('left', {label: 'alice'});
  await client.acquire('right', {label: 'bob'});
  client.acquire('right', {label: 'alice', wait: '1m'});
  const page = await openPage(server, {hash: '#/waits'});
  await page.getByText('No circle', {exact: true}).waitFor();
  client.acquire('left', {label: 'bob', wait: '1m'});
  client.acquire('left', {label: 'carol', wait: '1m'});
  await page.getByText('1 circle: a possible deadlock').waitFor();
  await until(async () => assert.equal(await page.locator('.graph .client.circle').count(), 2));
  assert.equal(await page.locator('.graph .edge.circle').count(), 2);
  assert.equal(await page.locator('.graph .client').count(), 3);

  // The page draws the graph again only if it has changed.
  await page.locator('.graph .client').first().evaluate((box) => (box.dataset.drawn = 'once'));
  await client.acquire('unrelated');
  const answered = () => page.waitForResponse((response) => response.url().includes('/v1/waits'));
  await answered();
  await answered();
  await answered();
  assert.equal(await page.locator('.graph .client').first().getAttribute('data-drawn'), 'once');
  assert.deepEqual(page.complaints, []);
});

test('a deep queue has pages', async () => {
  const server = await startServer({nodes: 3});
  const client = server.client();
  await client.acquire('deep', {label: 'holder'});
  for (let i = 0; i < 70; i++) {
    client.acquire('deep', {label: `waiter-${i}`, wait: '1m'});
  }
  const page = await openPage(server, {hash: lockHash('deep')});
  await page.getByRole('heading', {name: 'Queue: 70'}).waitFor();
  assert.equal(await page.locator('.line li').count(), 50);
  assert.ok(await page.locator('.matrix tbody tr').count() <= 50);
  await page.locator('section', {has: page.getByRole('heading', {name: 'Queue: 70'})}).getByRole('button', {name: 'Next'}).click();
  await until(async () => assert.equal(await page.locator('.line li').count(), 20));
  const matrix = page.getByRole('region', {name: 'Votes of every node'});
  await matrix.focus();
  await page.keyboard.press('End');
  await until(async () => assert.ok(await matrix.evaluate((box) => box.scrollTop > 0)));
  assert.deepEqual(page.complaints, []);
});
