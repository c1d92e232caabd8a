// Servers in use, as a shop might have them: for the pictures of the docs and for checks of every view.

import {lockHash, startServer} from './lab.mjs';

const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

export const VIEWS = {
  locks: '', lock: lockHash('orders:42'), groups: '#/groups', waits: '#/waits', semaphores: '#/semaphores', elections: '#/elections', losses: '#/losses',
};

/** Starts five nodes and clients that hold, wait, lose and seal. */
export async function openShop({holds = 8, pauseMillis = 120} = {}) {
  const server = await startServer({nodes: 5});
  const client = server.client();
  const wait = (lock, label, more = {}) => void client.acquire(lock, {label, wait: '10m', ...more});
  let lease = await client.acquire('orders:42', {label: 'billing-3', ttl: '30s'});
  for (let i = 0; i < holds; i++) {
    const isLast = i === holds - 1;
    const next = client.acquire('orders:42', {label: `billing-${isLast ? 2 : 1 + (i % 3)}`, wait: '1m', ttl: isLast ? '1h' : '30s', ...(isLast ? {value: 'invoice 4711\nline 3 of 7'} : {})});
    if (i === 2 || i === 4) {
      await server.node(4, i === 2 ? 'down' : 'up');
    }
    await pause(pauseMillis * (1 + (i % 4)));
    await client.extend(lease);
    await pause(pauseMillis * (1 + (i % 3)));
    await client.release(lease);
    lease = await next;
  }
  ['billing-1', 'billing-3', 'refunds', 'audit'].forEach((label) => wait('orders:42', label));
  await client.acquire('stock:42', {label: 'billing-1', ttl: '1h'});
  wait('stock:42', 'billing-2');
  for (const country of ['de', 'fr', 'it', 'pl']) {
    await client.acquire(`shipping:${country}`, {label: `labels-${country}`, ttl: '2h'});
  }
  for (const reader of ['storefront-1', 'storefront-2', 'search']) {
    await client.acquire('catalogue', {label: reader, mode: 'PR', ttl: '1h'});
  }
  wait('catalogue', 'importer');
  await client.acquire('scheduler', {label: 'app-1', ttl: '1h', value: 'holdfast-election 1\n7 1764000000000 app@host~ab12cd34/1\napp-1\n\n'});
  ['app-2', 'app-3'].forEach((label) => wait('scheduler', label));
  for (const slot of [0, 1, 2]) {
    await client.acquire(`reports#${slot}`, {label: `renderer-${slot + 1}`, ttl: '1h'});
  }
  await client.acquire('reports#gate', {label: 'renderer-4', ttl: '1h'});
  wait('reports#gate', 'renderer-5');
  const sealed = await client.acquire('import:2026-11-21', {label: 'importer'});
  await client.post(`/v1/leases/${sealed.id}/seal`, {retention: '6h'});
  await client.acquire('mail:digest', {label: 'mailer-7', ttl: '100ms'});
  await pause(400);
  await client.acquire('mail:digest', {label: 'mailer-8', ttl: '1h'});
  const stuck = await client.acquire('nightly-report', {label: 'cron@db-1', ttl: '1h'});
  await client.post('/v1/break', {lock: 'nightly-report', token: stuck.token, reason: 'hangs since midnight, INC-7'});
  await client.acquire('nightly-report', {label: 'cron@db-2', ttl: '1h'});
  return server;
}

/** Waits until the view shows data of the server. */
export async function settled(page) {
  await page.locator('#fresh[data-state="live"]').waitFor();
  await page.locator('tbody tr, .line li').first().waitFor({state: 'attached'});
}
