// Takes the pictures of docs/images: every view, light and dark, wide and narrow.

import {mkdir} from 'node:fs/promises';
import {openPage, startCluster, test} from './lab.mjs';
import {openShop, settled, VIEWS} from './shop.mjs';

const TO = process.env.HOLDFAST_PICTURES;
const WIDE = 1440;

async function take(server, views) {
  await mkdir(TO, {recursive: true});
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [WIDE, 390]) {
      for (const [name, hash] of Object.entries(views)) {
        const page = await openPage(server, {hash, colorScheme, viewport: {width, height: width === WIDE ? 900 : 844}});
        await settled(page);
        await page.waitForFunction(() => new Promise((resolve) => setTimeout(() => resolve(true), 1_500))); // until bars and figures have settled
        await page.screenshot({path: `${TO}/${name}-${colorScheme}${width === WIDE ? '' : '-narrow'}.png`, fullPage: name === 'lock'});
        await page.context().close();
      }
    }
  }
}

test('pictures of every view', async () => take(await openShop({holds: 12, pauseMillis: 400}), VIEWS));

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
