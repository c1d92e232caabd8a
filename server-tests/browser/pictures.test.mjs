// Takes the pictures of docs/images: every view, light and dark, wide and narrow.

import {mkdir} from 'node:fs/promises';
import {test} from 'node:test';
import {openPage} from './lab.mjs';
import {openShop, settled, VIEWS} from './shop.mjs';

const TO = process.env.HOLDFAST_PICTURES;
const WIDE = 1440;

test('pictures of every view', async () => {
  await mkdir(TO, {recursive: true});
  const server = await openShop({holds: 12, pauseMillis: 400});
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [WIDE, 390]) {
      for (const [name, hash] of Object.entries(VIEWS)) {
        const page = await openPage(server, {hash, colorScheme, viewport: {width, height: width === WIDE ? 900 : 844}});
        await settled(page);
        await page.waitForFunction(() => new Promise((resolve) => setTimeout(() => resolve(true), 1_500))); // until bars and figures have settled
        await page.screenshot({path: `${TO}/${name}-${colorScheme}${width === WIDE ? '' : '-narrow'}.png`, fullPage: name === 'lock'});
        await page.context().close();
      }
    }
  }
});
