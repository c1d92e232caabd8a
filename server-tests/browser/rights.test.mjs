// Tokens, rights, breaking a lease, and names that look like markup.

import assert from 'node:assert/strict';
import {lockHash, openPage, OPERATOR, READER, row, startServer, test, until} from './lab.mjs';

async function giveToken(page, token) {
  await page.getByLabel('Token', {exact: true}).fill(token);
  await page.getByRole('button', {name: 'Open'}).click();
}

test('the page asks for a token, keeps it for the tab, and puts it into no address', async () => {
  const server = await startServer({tokens: true});
  await server.client(OPERATOR).acquire('wages:1', {label: 'payroll'});
  const page = await openPage(server);
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByRole('heading', {name: 'Enter a token'}).waitFor();

  await giveToken(page, 'a-wrong-token-0123456789');
  await page.getByText('The token is not known here.').waitFor();
  await giveToken(page, OPERATOR);
  await row(page, 'wages:1').getByText('operator').waitFor();
  assert.equal(await page.locator('#who span').textContent(), 'token operator');

  await page.reload();
  await row(page, 'wages:1').waitFor();
  assert.ok(asked.length > 5);
  assert.ok(asked.every((url) => !url.includes(OPERATOR) && !url.includes('a-wrong')));
  assert.equal(await page.evaluate((token) => JSON.stringify(localStorage).includes(token) || document.cookie.includes(token) || document.documentElement.outerHTML.includes(token), OPERATOR), false);

  await page.getByRole('button', {name: 'Forget'}).click();
  await page.getByRole('heading', {name: 'Enter a token'}).waitFor();
  const other = await openPage(server);
  await other.getByRole('heading', {name: 'Enter a token'}).waitFor();
});

test('a token sees only its prefixes, and no button for an action without the right', async () => {
  const server = await startServer({tokens: true});
  const operator = server.client(OPERATOR);
  await operator.acquire('wages:1');
  await operator.acquire('orders:1');
  const page = await openPage(server);
  await giveToken(page, READER);
  await row(page, 'orders:1').waitFor();
  assert.equal(await page.locator('tbody tr').count(), 1);

  await operator.acquire('orders:2');
  await row(page, 'orders:2').waitFor();
  await row(page, 'orders:1').getByRole('link').click();
  await page.getByText('Held, with').waitFor();
  assert.equal(await page.getByRole('button', {name: 'Break…'}).count(), 0);

  await page.goto(`${server.uri}/${lockHash('wages:1')}`);
  await page.getByRole('alert').getByText(/is for names that begin with/).waitFor();
  assert.deepEqual(page.complaints, []);
});

test('breaking a lease needs the lock’s name and a reason', async () => {
  const server = await startServer({tokens: true});
  const operator = server.client(OPERATOR);
  const lease = await operator.acquire('stuck', {label: 'hangs'});
  const next = operator.acquire('stuck', {label: 'waits', wait: '1m'});
  const page = await openPage(server, {hash: lockHash('stuck')});
  await giveToken(page, OPERATOR);
  await page.locator('.line li', {hasText: 'waits'}).waitFor();

  await page.getByRole('button', {name: 'Break…'}).click();
  const go = page.getByRole('button', {name: 'Break this lease'});
  assert.equal(await go.isDisabled(), true);
  await page.locator('.effects li', {hasText: `lease with token ${lease.token}`}).waitFor();
  await page.locator('.effects li', {hasText: 'waits is first in the queue and can acquire the lock at once.'}).waitFor();
  await page.getByLabel('Name of the lock').fill('stuc');
  await page.getByLabel('Reason, for the log').fill('it hangs, INC-7');
  assert.equal(await go.isDisabled(), true);
  await page.getByLabel('Name of the lock').fill('stuck');
  assert.equal(await go.isDisabled(), false);
  await go.click();

  const granted = await next;
  assert.ok(granted.token > lease.token);
  await page.locator('.holders strong', {hasText: 'waits'}).waitFor();
  assert.equal(await page.locator('dialog[open]').count(), 0);
  assert.equal((await operator.extend(lease)).status, 410);
  await page.locator('.events li[data-kind="broken"]', {hasText: 'hangs'}).waitFor();
  await page.locator('.timeline .loss').waitFor({state: 'attached'});
  assert.deepEqual(page.complaints, []);
});

test('a lease that has ended is not broken, and the page says so', async () => {
  const server = await startServer();
  const client = server.client();
  const lease = await client.acquire('a', {label: 'first'});
  const page = await openPage(server, {hash: lockHash('a')});
  await page.getByRole('button', {name: 'Break…'}).click();
  await page.getByLabel('Name of the lock').fill('a');
  await page.getByLabel('Reason, for the log').fill('too late');
  await client.release(lease);
  const second = await client.acquire('a', {label: 'second'});
  await page.getByRole('button', {name: 'Break this lease'}).click();
  await page.getByText(`No lease of this lock with token ${lease.token} was found.`).waitFor();
  assert.equal((await client.extend(second)).status, 200);
});

test('a break is shown at every server, also of a lease that is not of its clients', async () => {
  const [first, second] = [await startServer({memory: 'broken'}), await startServer({memory: 'broken'})];
  const lease = await first.client().acquire('a', {label: 'hangs'});
  const page = await openPage(second, {hash: lockHash('a')});
  await page.getByText('Held, with').waitFor();

  assert.equal((await first.client().post('/v1/break', {lock: 'a', token: lease.token, reason: 'INC-7'})).status, 200);

  await page.locator('.events li[data-kind="broken"]', {hasText: `The lease with token ${lease.token} was broken by 127.0.0.1: INC-7`}).waitFor();
  await page.locator('.timeline .loss').waitFor({state: 'attached'});
  await page.getByRole('link', {name: 'Lost leases'}).click();
  await page.locator('tbody tr', {hasText: 'INC-7'}).waitFor();
  const late = await openPage(second, {hash: lockHash('a')}); // it has not seen the holder
  await late.locator('.timeline .loss').waitFor({state: 'attached'});
  assert.deepEqual([page.complaints, late.complaints], [[], []]);
});

test('a lock whose name begins and ends with a space', async () => {
  const server = await startServer();
  const client = server.client();
  const lease = await client.acquire(' a b ', {label: 'me'});
  const page = await openPage(server, {hash: lockHash(' a b ')});
  await page.getByRole('button', {name: 'Break…'}).click();
  await page.getByLabel('Name of the lock').fill(' a b ');
  await page.getByLabel('Reason, for the log').fill('it hangs');
  await page.getByRole('button', {name: 'Break this lease'}).click();
  await page.locator('.events li[data-kind="broken"]').waitFor();
  assert.equal((await client.extend(lease)).status, 410);
  assert.deepEqual(page.complaints, []);
});

test('names, labels and owners are text, even if they look like markup', async () => {
  const server = await startServer();
  const client = server.client();
  const names = ['<img src=x onerror=alert(1)>', '"><script>alert(2)</script>', '../../etc/passwd', 'a/b?c=d#e&f', 'javascript:alert(3)', "it's", '100%', '%00%2e', '{{7*7}}${7*7}', '漢字 🔒 ё', '__proto__', 'constructor', 'x'.repeat(900), 'tag</title><svg onload=alert(4)>'];
  for (const name of names) {
    assert.equal((await client.acquire(name, {label: name.slice(0, 100)})).status, 201, name);
  }
  const page = await openPage(server);
  for (const name of names) {
    await row(page, name).waitFor();
  }
  for (const name of names) {
    await row(page, name).getByRole('link').click();
    await page.getByRole('heading', {level: 1, name, exact: true}).waitFor();
    await page.getByText('Held, with').waitFor();
    await page.locator('.events li').first().waitFor();
    assert.equal(await page.evaluate(() => document.querySelectorAll('main img, main script, main svg[onload], main iframe').length), 0);
    await page.getByRole('link', {name: '← All locks'}).click();
    await row(page, name).waitFor();
  }
  await until(async () => assert.equal(await page.locator('tbody tr').count(), names.length));
  assert.deepEqual(page.complaints, []);
});

test('a character that reverses the direction of text is shown as an escape', async () => {
  const server = await startServer();
  const client = server.client();
  const {status} = await client.acquire('pay\u202Elairotide');
  const page = await openPage(server);
  if (status === 201) {
    await row(page, 'pay\\u202Elairotide').waitFor();
  } else {
    await page.getByText('No lock is in use').waitFor(); // such a name can't be locked at all
  }
});
