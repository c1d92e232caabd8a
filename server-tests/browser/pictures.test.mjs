// Takes the pictures of docs/images: every view, a break, a deep queue and an outage, light and dark, wide and narrow.

import assert from 'node:assert/strict';
import {mkdir} from 'node:fs/promises';
import {lockHash, openPage, startCluster, startServer, test, until} from './lab.mjs';
import {openShop, settled, VIEWS} from './shop.mjs';

const TO = process.env.HOLDFAST_PICTURES;
const WIDE = 1440;
/** The views of one lock, which are longer than a screen. */
const WHOLE = ['lock', 'queue', 'outage-lock'];

/** Takes pictures of the views, each after `prepare`, which gets the page and may change it. */
async function take(server, views, prepare = () => {}) {
  await mkdir(TO, {recursive: true});
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [WIDE, 390]) {
      for (const [name, hash] of Object.entries(views)) {
        const page = await openPage(server, {hash, colorScheme, viewport: {width, height: width === WIDE ? 900 : 844}});
        await settled(page);
        await prepare(page);
        await page.waitForFunction(() => new Promise((resolve) => setTimeout(() => resolve(true), 1_500))); // until bars and figures have settled
        await page.screenshot({path: `${TO}/${name}-${colorScheme}${width === WIDE ? '' : '-narrow'}.png`, fullPage: WHOLE.includes(name)});
        await page.context().close();
      }
    }
  }
}

test('pictures of every view', async () => take(await openShop({holds: 12, pauseMillis: 400}), VIEWS));

test('pictures of a break', async () => {
  const server = await openShop({holds: 6, pauseMillis: 200});
  await take(server, {break: lockHash('orders:42')}, async (page) => {
    await page.getByRole('button', {name: 'Break…'}).click();
    await page.getByLabel('Name of the lock, to confirm').fill('orders:42');
    await page.getByLabel('Reason, for the log').fill('billing-2 hangs, INC-7');
  });
});

test('pictures of a deep queue', async () => {
  const server = await startServer({nodes: 3});
  const client = server.client();
  for (let i = 0; i < 12; i++) {
    const lease = await client.acquire('inventory', {label: `counter-${i % 3 + 1}`});
    await new Promise((resolve) => setTimeout(resolve, 40 * (i + 1)));
    await client.release(lease);
  }
  await client.acquire('inventory', {label: 'counter-1'});
  for (let i = 1; i <= 990; i++) {
    client.acquire('inventory', {label: `shelf-${String(i).padStart(3, '0')}`, wait: '1h'}).catch(() => {}); // the server stops before the wait ends
    if (i % 10 === 0) {
      await until(async () => assert.ok((await client.get('/v1/status?lock=inventory')).waiters.length >= i - 10));
    }
  }
  await until(async () => assert.equal((await client.get('/v1/status?lock=inventory')).waiters.length, 990));
  await take(server, {queue: lockHash('inventory')});
});

test('pictures of an outage', async () => {
  const server = await openShop({holds: 8, pauseMillis: 200});
  await server.node(0, 'down');
  await server.node(1, 'down');
  await new Promise((resolve) => setTimeout(resolve, 4_000)); // until the timeline shows a failure before the outage
  await server.node(2, 'down');
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await server.node(1, 'quarantined', 3_500_000);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await take(server, {outage: '', 'outage-lock': lockHash('orders:42')});
});

test('pictures of a cluster, one of whose servers is down', async () => {
  const cluster = await startCluster();
  const leader = await cluster.leader();
  const [other, third] = ['a', 'b', 'c'].filter((name) => name !== leader);
  for (let i = 0; i < 40; i++) {
    await cluster.servers[leader].client().acquire(`orders:${i}`, {label: `billing-${i % 3}`});
  }
  await cluster.stop(third);
  await new Promise((resolve) => setTimeout(resolve, 8_000)); // until snapshots have some age
  await take(cluster.servers[other], {cluster: '#/cluster'});
});
