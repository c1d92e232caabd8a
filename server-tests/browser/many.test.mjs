// Ten thousand held leases and a thousand waiters: pages, filter and order work, the page stays usable, and does not grow.

import assert from 'node:assert/strict';
import {openPage, row, startServer, test, until} from './lab.mjs';

const MANY = 9_990;
const AT_ONCE = 48;
const WAITERS = 1_000;

async function acquireMany(client) {
  let next = 0;
  const worker = async () => {
    while (next < MANY) {
      const number = next++;
      const {status} = await client.acquire(`job:${String(number).padStart(5, '0')}`, {label: `worker-${number % 100}`});
      assert.equal(status, 201);
    }
  };
  await Promise.all(Array.from({length: AT_ONCE}, worker));
}

async function cpuNanos(server) {
  const metrics = await (await fetch(`${server.uri}/metrics`)).text();
  return Number(/^process_cpu_time_ns_total\S* (\S+)$/m.exec(metrics)[1]);
}

test('ten thousand locks', async (context) => {
  const server = await startServer();
  const client = server.client();
  await acquireMany(client);
  for (let i = 0; i < WAITERS; i++) {
    client.acquire('job:04711', {label: `waits-${i}`, wait: '10m'}).catch(() => {}); // the server stops before the wait ends
  }
  await until(async () => assert.equal((await client.get('/v1/status?lock=job:04711')).waiters.length, WAITERS));
  const opened = Date.now();
  const page = await openPage(server);
  await page.locator('tbody tr').first().waitFor();
  context.diagnostic(`the first row after ${Date.now() - opened} ms`);
  await page.getByText('9,990 locks', {exact: true}).waitFor();
  context.diagnostic(`all are counted after ${Date.now() - opened} ms`);
  assert.equal(await page.locator('tbody tr').count(), 50);
  await page.locator('[data-figure="held"] .number', {hasText: '9,990'}).waitFor();
  await page.getByText('1 to 50 of 9,990').waitFor();

  const started = Date.now();
  await page.getByRole('button', {name: 'Next'}).click();
  await row(page, 'job:00050').waitFor();
  context.diagnostic(`the next page after ${Date.now() - started} ms`);
  const filtered = Date.now();
  await page.getByLabel(/^Filter/).fill('job:09');
  await page.getByText('990 of 9,990 locks').waitFor();
  context.diagnostic(`the filter after ${Date.now() - filtered} ms`);
  await page.getByLabel(/^Filter/).fill('^job:0998');
  await page.getByText('10 of 10 locks').waitFor();
  await page.getByLabel(/^Filter/).fill('worker-77');
  await page.getByText('100 of 9,990 locks').waitFor();
  await page.getByLabel(/^Filter/).fill('');
  await page.getByRole('button', {name: 'Lock', exact: true}).click();
  await page.getByRole('button', {name: 'Lock', exact: true}).click(); // the second press sorts descending
  await row(page, 'job:09989').waitFor();

  // Sorting brings a waiter from anywhere to the top.
  client.acquire('job:04711', {label: 'waits', wait: '1m'});
  await page.getByRole('button', {name: 'Queue'}).click();
  await until(async () => assert.equal(await page.locator('tbody .name').first().textContent(), 'job:04711'));

  const {frames, longest, elements} = await page.evaluate(() => new Promise((resolve) => {
    const begin = performance.now();
    let last = begin;
    let longest = 0;
    let frames = 0;
    const frame = (now) => {
      longest = Math.max(longest, now - last);
      last = now;
      frames++;
      if (now - begin > 4000) {
        resolve({frames, longest, elements: document.querySelectorAll('*').length});
      } else {
        requestAnimationFrame(frame);
      }
    };
    requestAnimationFrame(frame);
  }));
  context.diagnostic(`${frames} frames in 4 s, the longest gap ${Math.round(longest)} ms, ${elements} elements`);
  const before = await cpuNanos(server);
  await new Promise((resolve) => setTimeout(resolve, 5_000)); // nothing happens
  context.diagnostic(`the idle page costs the server ${((await cpuNanos(server) - before) / 5e9).toFixed(2)} of a core`);
  assert.ok(elements < 3_000, `${elements} elements`);
  assert.deepEqual(page.complaints, []);
});
