// Every view is accessible as far as axe-core can tell, and shows all of its tables: light and dark, wide and narrow.

import assert from 'node:assert/strict';
import {lockHash, openPage, startServer, test, until, violations} from './lab.mjs';
import {openShop, settled, VIEWS} from './shop.mjs';

/** Returns the columns of tables whose values the screen does not show. */
function hiddenValues() {
  return [...document.querySelectorAll('.plain td:not(:empty)')]
    .filter((cell) => cell.getClientRects().length === 0 || cell.getBoundingClientRect().right > innerWidth)
    .map((cell) => cell.dataset.head);
}

test('axe finds nothing in any view', async (context) => {
  const server = await openShop({holds: 6, pauseMillis: 20});
  for (const [name, hash] of Object.entries(VIEWS)) {
    const page = await openPage(server, {hash});
    await settled(page);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({colorScheme});
      for (const width of [1440, 390]) {
        await context.test(`${name}, ${colorScheme}, ${width} px`, async () => {
          await page.setViewportSize({width, height: 900});
          assert.deepEqual(await violations(page), []);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width, 'the page scrolls sideways');
          assert.deepEqual(await page.evaluate(hiddenValues), []);
        });
      }
    }
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
});

test('a long chip does not make a narrow page scroll sideways', async () => {
  const server = await startServer({nodes: 3});
  const page = await openPage(server, {viewport: {width: 390, height: 844}});
  await server.node(0, 'down');
  await page.locator('.chip[data-state="down"]').waitFor();
  const wide = await page.evaluate(() => {
    const [name, fact] = document.querySelector('.chip[data-state="down"]').children; // the page sets its own texts a second later
    name.textContent = 'redis-of-the-warehouse-in-the-far-north.internal.example.com:6379';
    fact.textContent = 'quarantine, 23 h 59 min more, since the node has restarted';
    return document.documentElement.scrollWidth;
  });
  assert.ok(wide <= 390, `the page is ${wide} px wide`);
});

test('axe finds nothing in a deep queue', async () => {
  const server = await startServer();
  const client = server.client();
  await client.acquire('deep', {label: 'first'});
  for (let i = 0; i < 60; i++) {
    client.acquire('deep', {label: `waits-${i}`, wait: '10m'}).catch(() => {}); // the server stops before the wait ends
  }
  const page = await openPage(server, {hash: lockHash('deep')});
  await page.getByText('Queue: 60', {exact: true}).waitFor();
  await until(async () => assert.deepEqual(await page.locator('.pager:visible').evaluateAll((pagers) => pagers.map((pager) => pager.ariaLabel)), ['Pages of the queue', 'Pages of the votes']));
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(page.complaints, []);
});
