// Takes the pictures of docs/images: starts clients as a shop might have them at a server that runs, waits, and looks.
//   node pictures.mjs http://localhost:7420 [MINUTES]

import {mkdir} from 'node:fs/promises';
import {chromium} from 'playwright-core';

const [, , server = 'http://localhost:7420', minutes = '4'] = process.argv;
const TO = new URL('../../docs/images/', import.meta.url).pathname;
const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));
const about = (millis) => millis * (0.7 + Math.random() * 0.6);

async function post(path, body = {}) {
  const response = await fetch(server + path, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)});
  return {status: response.status, ...(await response.json())};
}

/** Takes a lock again and again, extends it while it works, and forgets to, once in a while. */
async function work(lock, label, {hold = 20_000, rest = 5_000, ttl = 15, mode = 'EX', forgets = 0} = {}) {
  for (;;) {
    const lease = await post('/v1/leases', {lock, label, mode, ttl: `${ttl}s`, wait: '10m'});
    if (lease.status === 201) {
      const end = Date.now() + about(hold);
      const dies = Math.random() < forgets;
      while (Date.now() < end && !dies) {
        await pause(Math.min(ttl * 333, Math.max(0, end - Date.now())));
        await post(`/v1/leases/${lease.id}/extend`);
      }
      await (dies ? pause(ttl * 1000) : post(`/v1/leases/${lease.id}/release`));
    }
    await pause(about(rest));
  }
}

function shop() {
  for (const number of [1, 2, 3, 4]) {
    work('orders:42', `billing-${number}`, {hold: 25_000, rest: 30_000, forgets: number === 3 ? 0.4 : 0});
    work(`orders:${97 + number}`, `billing-${number}`, {rest: 2_000});
    work(`shipping:${['de', 'fr', 'it', 'pl'][number - 1]}`, `labels-${number}`, {hold: 60_000});
  }
  for (const name of ['storefront-1', 'storefront-2', 'search']) {
    work('catalogue', name, {mode: 'PR', hold: 45_000, ttl: 30});
  }
  work('catalogue', 'importer', {hold: 12_000, rest: 40_000, ttl: 30});
  work('nightly-report', 'cron@db-1', {hold: 3_600_000, ttl: 60});
  work('mail:digest', 'mailer-7', {hold: 9_000, rest: 1_000});
  work('mail:digest', 'mailer-8', {hold: 9_000, rest: 1_000});
  post('/v1/leases', {lock: 'import:2026-11-21', label: 'importer'}).then(({id}) => post(`/v1/leases/${id}/seal`, {retention: '6h'}));
}

async function picture(browser, name, hash, colorScheme, height) {
  const context = await browser.newContext({viewport: {width: 1280, height}, colorScheme});
  const page = await context.newPage();
  await page.goto(`${server}/${hash}`);
  await page.locator('#fresh[data-state="live"]').waitFor();
  await pause(3_000);
  await page.screenshot({path: `${TO}${name}-${colorScheme}.png`});
  await context.close();
}

shop();
await pause(Number(minutes) * 60_000);
const browser = await chromium.launch({executablePath: process.env.HOLDFAST_CHROMIUM ?? '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']});
await mkdir(TO, {recursive: true});
for (const scheme of ['light', 'dark']) {
  await picture(browser, 'locks', '#/', scheme, 900);
  await picture(browser, 'lock', '#/lock/orders%3A42', scheme, 1120);
}
await browser.close();
process.exit(0); // the clients are in the middle of something
