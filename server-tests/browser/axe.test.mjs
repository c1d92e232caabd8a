// Every view is accessible as far as axe-core can tell, light and dark, wide and narrow.

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {openPage, violations} from './lab.mjs';
import {openShop, settled, VIEWS} from './shop.mjs';

test('axe finds nothing in any view', async (context) => {
  const server = await openShop({holds: 6, pauseMillis: 20});
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [1440, 390]) {
      for (const [name, hash] of Object.entries(VIEWS)) {
        await context.test(`${name}, ${colorScheme}, ${width} px`, async () => {
          const page = await openPage(server, {hash, colorScheme, viewport: {width, height: 900}});
          await settled(page);
          assert.deepEqual(await violations(page), []);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width, 'the page scrolls sideways');
          await page.context().close();
        });
      }
    }
  }
});
