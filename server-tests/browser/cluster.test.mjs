// The view of a cluster shows each server: its part, its log, its snapshot and its health, and what is missing without a majority.

import assert from 'node:assert/strict';
import {openPage, startCluster, startServer, test, until, violations} from './lab.mjs';

const serverRow = (page, name) => page.locator('.cluster tbody tr', {has: page.locator('strong', {hasText: new RegExp(`^${name}$`)})});
const cell = (page, name, head) => serverRow(page, name).locator(`td[data-head="${head}"]`);
const number = async (place) => Number((await place.textContent()).replaceAll(',', ''));

test('a server without a cluster has no such view', async () => {
  const server = await startServer();
  const page = await openPage(server);
  await page.getByText('No lock is in use').waitFor();
  assert.equal(await page.locator('#cluster-view').isVisible(), false);
  assert.deepEqual(page.complaints, []);
});

test('each server, from the leader’s log to a majority that is gone and comes back', async (context) => {
  const cluster = await startCluster();
  const leader = await cluster.leader();
  const [other, third] = ['a', 'b', 'c'].filter((name) => name !== leader);
  const client = cluster.servers[leader].client();
  for (let i = 0; i < 15; i++) {
    await until(async () => assert.equal((await client.acquire(`orders:${i}`)).status, 201));
  }
  const page = await openPage(cluster.servers[other], {});
  await page.getByText('The cluster has a leader').waitFor();

  await context.test('the view is reached from the node and by the keyboard', async () => {
    await page.locator('.chip a').click();
    await page.getByRole('heading', {name: 'Cluster trial'}).waitFor();
    await page.goto(`${cluster.servers[other].uri}/#/`);
    await page.getByText('15 locks').first().waitFor();
    await page.getByRole('link', {name: 'Cluster', exact: true}).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', {name: 'Cluster trial'}).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), 'cluster-title');
    assert.equal(await page.locator('#cluster-view').getAttribute('aria-current'), 'page');
  });

  await context.test('the leader, the followers, and how far they are', async () => {
    await page.locator('.cluster .state', {hasText: `Server ${leader} leads, term `}).waitFor();
    assert.match(await page.locator('.cluster .state').textContent(), /3 of 3 servers take part; the majority survives the loss of 1/);
    assert.equal(await cell(page, leader, 'Role').textContent(), 'leader');
    assert.match(await serverRow(page, other).textContent(), /shows this page/);
    for (const name of [other, third]) {
      assert.equal(await cell(page, name, 'Role').textContent(), 'follower');
      assert.match(await cell(page, name, 'Health').textContent(), new RegExp(`^Well it follows server ${leader}$`));
      await until(async () => assert.equal(await cell(page, name, 'Lag').textContent(), '0'));
    }
    await until(async () => assert.ok(await number(cell(page, third, 'Applied')) > 15));
    const last = await number(cell(page, leader, 'Last entry'));
    assert.ok((await client.acquire('one:more')).status === 201);
    await until(async () => assert.ok(await number(cell(page, leader, 'Last entry')) > last));
    await until(async () => assert.match(await cell(page, leader, 'Last snapshot').textContent(), /^\d+ s ago, up to entry \d+, [\d,]+ (B|KiB)$/));
  });

  await context.test('axe, light and dark, wide and narrow', async () => {
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({colorScheme});
      for (const width of [1440, 390]) {
        await page.setViewportSize({width, height: 900});
        assert.deepEqual(await violations(page), []);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width, 'the page scrolls sideways');
        assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('.plain td:not(:empty)')]
          .filter((one) => one.getClientRects().length === 0 || one.getBoundingClientRect().right > innerWidth).map((one) => one.dataset.head)), []);
      }
    }
    await page.setViewportSize({width: 1440, height: 900});
  });

  await context.test('a server that stops, and then the majority', async () => {
    await cluster.stop(third);
    await cell(page, third, 'Role').getByText('takes no part').waitFor();
    assert.match(await cell(page, third, 'Health').textContent(), /^Silent no connection: it does not run, or cannot be reached$/);
    await page.getByText('2 of 3 servers take part; the loss of one ends the majority').waitFor();
    await until(async () => assert.match(await cell(page, third, 'Last contact').textContent(), /^\d+ s ago$/));

    await cluster.stop(leader);
    await page.locator('#banner', {hasText: 'No server of the cluster leads'}).waitFor();
    await page.locator('.cluster .state[data-tone="bad"]', {hasText: 'No server leads. 1 of 3 servers takes part; 2 are needed'}).waitFor();
    await cell(page, other, 'Health').getByText('Without leader').waitFor();
    assert.deepEqual(await violations(page), []);

    await cluster.again(third);
    await page.locator('#banner').waitFor({state: 'hidden'});
    await page.getByText('2 of 3 servers take part; the loss of one ends the majority').waitFor();
    await cluster.again(leader);
    await page.getByText('3 of 3 servers take part').waitFor();
  });
  assert.deepEqual(page.complaints, []);
});
