// The page is usable: light and dark, with the keyboard, on a narrow screen, and with a screen reader.

import assert from 'node:assert/strict';
import {lockHash, openPage, row, startServer, test, until} from './lab.mjs';

const ground = (page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
const brightness = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 765;

test('light or dark, as the system asks or the visitor chooses', async () => {
  const server = await startServer();
  const light = await openPage(server, {colorScheme: 'light'});
  assert.ok(brightness(await ground(light)) > 0.9);
  const dark = await openPage(server, {colorScheme: 'dark'});
  assert.ok(brightness(await ground(dark)) < 0.15);

  await dark.getByLabel('Colours').selectOption('light');
  assert.ok(brightness(await ground(dark)) > 0.9);
  await dark.reload();
  assert.ok(brightness(await ground(dark)) > 0.9);
  await dark.getByLabel('Colours').selectOption('auto');
  assert.ok(brightness(await ground(dark)) < 0.15);
});

/** Returns the visible texts whose contrast with their background, as WCAG 2 defines it, is too low. */
function contrasts() {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => [r, g, b].map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)).reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour[3] > 250) {
        return colour;
      }
    }
    return rgb(getComputedStyle(document.documentElement).backgroundColor);
  };
  const low = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement;
    if (!text.data.trim() || !element.checkVisibility() || element.closest('.unseen, .skip, :disabled, option')) {
      continue;
    }
    const style = getComputedStyle(element);
    const [one, other] = [luminance(rgb(element.closest('svg') ? style.fill : style.color)), luminance(behind(element))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) {
      low.push(`${ratio.toFixed(2)} ${text.data.trim().slice(0, 40)}`);
    }
  }
  return low;
}

test('every text has the contrast of WCAG AA', async () => {
  const server = await startServer({nodes: 3});
  const client = server.client();
  await client.acquire('a', {label: 'me'});
  client.acquire('a', {label: 'you', wait: '1m'});
  await client.acquire('gone', {ttl: '50ms'});
  await server.node(0, 'down');
  await server.node(1, 'quarantined', 60_000);
  await server.node(1, 'up');
  for (const colorScheme of ['light', 'dark']) {
    for (const hash of ['', lockHash('a')]) {
      const page = await openPage(server, {colorScheme, hash});
      await page.getByText(hash ? 'Held, with' : '1 lock', {exact: false}).first().waitFor();
      await page.locator('.chip[data-state="down"]').waitFor();
      await page.locator('summary').click({timeout: 1000}).catch(() => {}); // the legend, where there is one
      assert.deepEqual(await page.evaluate(contrasts), [], `${colorScheme} ${hash}`);
    }
  }
});

test('with the keyboard alone', async () => {
  const server = await startServer();
  const client = server.client();
  for (const name of ['apple', 'banana', 'cherry']) {
    await client.acquire(name, {label: `of ${name}`});
  }
  const page = await openPage(server);
  await row(page, 'cherry').waitFor();
  await page.keyboard.press('/');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'filter');
  await page.keyboard.type('of BAN');
  await until(async () => assert.equal(await page.locator('tbody tr').count(), 1));
  await page.keyboard.press('Escape');
  await until(async () => assert.equal(await page.locator('tbody tr').count(), 3));

  await page.getByRole('button', {name: 'Lock', exact: true}).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter'); // the second press sorts descending
  await until(async () => assert.deepEqual(await page.locator('tbody .name').allTextContents(), ['cherry', 'banana', 'apple']));
  assert.equal(await page.locator('th[aria-sort]').getAttribute('aria-sort'), 'descending');

  await page.getByRole('link', {name: 'banana'}).focus();
  await client.acquire('blueberry'); // a row is added, others move, and the focus stays where it is
  await row(page, 'blueberry').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'banana');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.notEqual(outline, 'none');

  await page.keyboard.press('Enter');
  await page.getByRole('heading', {level: 1, name: 'banana'}).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'lock-title');
  await page.keyboard.press('Escape');
  await row(page, 'banana').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'banana');
  assert.deepEqual(page.complaints, []);
});

test('with a screen reader', async () => {
  const server = await startServer({nodes: 3});
  const client = server.client();
  await client.acquire('a', {label: 'me'});
  const page = await openPage(server);
  await row(page, 'a').waitFor();
  await page.getByRole('table', {name: 'Locks in use'}).waitFor();
  assert.equal(await page.getByRole('row').count(), 2);
  await page.getByRole('img', {name: '3 of 3 nodes vote for it'}).waitFor();
  const unnamed = await page.evaluate(() => [...document.querySelectorAll('button, a, input, select')].filter((element) => element.checkVisibility()).filter((element) => !(element.getAttribute('aria-label') || element.textContent.trim() || element.labels?.length)).map((element) => element.outerHTML));
  assert.deepEqual(unnamed, []);
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');

  // A live region that announces every second would be useless.
  await page.evaluate(() => {
    window.told = [];
    const watch = new MutationObserver((changes) => changes.forEach((change) => window.told.push(change.target.textContent)));
    document.querySelectorAll('[role="status"], [aria-live], [role="alert"]').forEach((region) => watch.observe(region, {childList: true, characterData: true, subtree: true}));
  });
  await page.waitForFunction(() => new Promise((resolve) => setTimeout(() => resolve(true), 3_000))); // three updates of the page
  assert.deepEqual(await page.evaluate(() => window.told), []);
});

test('on a narrow screen nothing is cut off', async () => {
  const server = await startServer({nodes: 5});
  const client = server.client();
  await client.acquire('orders:2026-11-22:a-rather-long-name-of-a-lock:with-many-parts', {label: 'a-client-with-a-long-label-as-well'});
  client.acquire('orders:2026-11-22:a-rather-long-name-of-a-lock:with-many-parts', {label: 'waits', wait: '1m'});
  for (const hash of ['', lockHash('orders:2026-11-22:a-rather-long-name-of-a-lock:with-many-parts')]) {
    const page = await openPage(server, {hash, viewport: {width: 360, height: 740}});
    await page.getByText(hash ? 'Held, with' : '1 lock', {exact: !hash}).first().waitFor();
    if (!hash) {
      const name = row(page, 'orders:2026-11-22:a-rather-long-name-of-a-lock:with-many-parts').locator('.name a');
      assert.ok(await name.evaluate((link) => link.scrollWidth <= link.clientWidth), 'the name is cut off');
      await page.getByText('Figures: 1 held, 1 waiting, 0 lost').waitFor(); // folded away
    }
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360, hash);
    assert.ok(await page.evaluate(() => document.querySelector('#view').getBoundingClientRect().right) <= 360);
  }
});

test('the page reduces motion if the system asks for it', async () => {
  const server = await startServer();
  await server.client().acquire('a', {ttl: '20s'});
  const page = await openPage(server, {reducedMotion: 'reduce'});
  await row(page, 'a').locator('.left', {hasText: /^1\d s$/}).waitFor();
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  await until(async () => assert.match(await row(page, 'a').locator('.bar i').evaluate((bar) => bar.style.transform), /scaleX\(0\.[0-8]/));
});
