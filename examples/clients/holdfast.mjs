#!/usr/bin/env node
// A client of Holdfast's lock server, with Node.js's own modules only (Node.js 18 and later).
//
//   node holdfast.mjs NAME COMMAND...     run a command while the lock NAME is held
//   node holdfast.mjs --events [PREFIX]   show what happens
//
// HOLDFAST_SERVER (http://localhost:7420), HOLDFAST_TOKEN, HOLDFAST_TTL (30s) and HOLDFAST_WAIT (60s) configure it.
// Exit codes are those of `holdfast run`: the command's, or 128 and the number of the signal that ended it.
// 64: wrong arguments. 69: the server cannot be reached or has no majority of nodes.
// 75: another client holds the lock, or the server refuses the request. 79: the lease was lost and the command was therefore stopped.
// 126: the command cannot be run. 127: it does not exist.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const server = (process.env.HOLDFAST_SERVER ?? 'http://localhost:7420').replace(/\/$/, '');
const authorization = process.env.HOLDFAST_TOKEN ? { Authorization: `Bearer ${process.env.HOLDFAST_TOKEN}` } : {};

/** Sends a request and returns the response as soon as it begins. Unlike fetch, it has no timeout of its own. */
function request(method, path, { body, headers, timeoutMillis = 0 } = {}) {
  return new Promise((resolve, reject) => {
    const sent = (server.startsWith('https:') ? https : http).request(server + path, {
      method,
      timeout: timeoutMillis,
      headers: { ...authorization, ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.on('error', reject);
    sent.on('response', resolve);
    sent.end(body && JSON.stringify(body));
  });
}

class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail);
    this.status = status;
  }
}

/** Sends a POST request and parses the JSON response. A problem response throws Refused. */
async function post(path, body, options) {
  const answer = await request('POST', path, { body, ...options });
  let text = '';
  for await (const part of answer.setEncoding('utf8')) text += part;
  if (answer.statusCode >= 400) {
    let problem = { detail: `the server refuses the request with status ${answer.statusCode}` };
    try {
      problem = JSON.parse(text);
    } catch {
      // a proxy's page
    }
    throw new Refused(answer.statusCode, problem);
  }
  return JSON.parse(text);
}

/** A held lock, extended until it is released or lost. When it is lost, `signal` is aborted. */
class Lease {
  #deadline;
  #lost = new AbortController();
  #timer;
  #extending = Promise.resolve();

  static async acquire(lock, { ttl = '30s', wait = '60s' } = {}) {
    const headers = { 'Idempotency-Key': randomUUID() }; // re-sending a request returns the same lease
    for (let attempt = 1; ; attempt++) {
      const sent = performance.now();
      try {
        const lease = new Lease(await post('/v1/leases', { lock, ttl, wait }, { headers }), sent);
        await lease.#begin();
        return lease;
      } catch (e) {
        if (e instanceof Refused || attempt === 2) throw e;
      }
    }
  }

  constructor(answer, sent) {
    this.id = answer.id;
    this.token = answer.token;
    this.ttlMillis = answer.ttlMillis;
    this.#deadline = sent + answer.remainingMillis; // by this machine's clock, counted from when the request was sent
  }

  get signal() {
    return this.#lost.signal;
  }

  /** Extends at once if, after a long wait, the deadline is near or past. */
  async #begin() {
    if (this.#deadline - performance.now() < this.ttlMillis / 2) await this.#extend();
    this.#extendIn(this.ttlMillis / 3);
  }

  #extendIn(millis) {
    this.#timer = setTimeout(() => {
      this.#extending = this.#extend().then((done) => {
        if (this.#timer === undefined || this.signal.aborted) return;
        const left = this.#deadline - performance.now();
        this.#extendIn(done ? this.ttlMillis / 3 : Math.max(Math.min(left / 3, 1000), 50));
      });
    }, millis);
  }

  async #extend() {
    const sent = performance.now();
    try {
      const timeoutMillis = Math.max(Math.min(this.ttlMillis / 3, this.#deadline - sent), 100);
      const answer = await post(`/v1/leases/${this.id}/extend`, {}, { timeoutMillis });
      this.#deadline = sent + answer.remainingMillis;
      return true;
    } catch (e) {
      const final = e instanceof Refused && e.status < 500 && e.status !== 429;
      if (final || performance.now() >= this.#deadline) this.#lost.abort();
      return false;
    }
  }

  async release() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#extending;
    try {
      return (await post(`/v1/leases/${this.id}/release`, {}, { timeoutMillis: 10_000 })).outcome;
    } catch {
      return 'unconfirmed'; // then the lease expires after its ttl
    }
  }
}

/** Shows why there is no lease; gives the exit code for it. */
function refused(e) {
  if (!(e instanceof Refused)) {
    console.error(`the server ${server} cannot be reached: ${e.message || e.code}`);
    return 69;
  }
  console.error(e.message);
  return e.status >= 500 ? 69 : e.status === 400 ? 64 : 75;
}

async function run(name, command) {
  let lease;
  try {
    lease = await Lease.acquire(name, { ttl: process.env.HOLDFAST_TTL, wait: process.env.HOLDFAST_WAIT });
  } catch (e) {
    return refused(e);
  }
  let child;
  try {
    child = spawn(command[0], command.slice(1), {
      stdio: 'inherit',
      env: { ...process.env, HOLDFAST_FENCING_TOKEN: String(lease.token) },
    });
  } catch (e) {
    console.error(`'${command[0]}': ${e.code}`); // the name is empty, or the arguments are too long
    await lease.release();
    return command[0] === '' ? 127 : 126;
  }
  for (const ending of ['SIGTERM', 'SIGHUP']) { // without a client that extends the lease, the command must not go on
    process.on(ending, () => child.kill('SIGTERM'));
  }
  process.on('SIGINT', () => {}); // a terminal sends it to the command too
  lease.signal.addEventListener('abort', () => {
    console.error('the lock is lost: stopping the command');
    child.kill('SIGTERM');
  });
  const code = await new Promise((resolve) => {
    child.on('error', (e) => {
      console.error(`${command[0]}: ${e.code}`);
      resolve(e.code === 'ENOENT' ? 127 : 126);
    });
    child.on('exit', (exit, signal) => resolve(signal ? 128 + constants.signals[signal] : exit));
  });
  if (lease.signal.aborted) return 79;
  await lease.release();
  return code;
}

async function events(prefix) {
  let connected = false;
  for (let last; ; ) {
    try {
      const answer = await request('GET', `/v1/events?prefix=${encodeURIComponent(prefix)}`, {
        headers: last ? { 'Last-Event-ID': last } : {}, // the server replays missed events first
        timeoutMillis: 60_000,
      });
      if (answer.statusCode !== 200) {
        console.error(`the server refuses the request with status ${answer.statusCode}`);
        return answer.statusCode >= 500 ? 69 : answer.statusCode === 400 ? 64 : 75;
      }
      connected = true;
      for await (const line of createInterface({ input: answer })) {
        if (line.startsWith('id: ')) last = line.slice(4);
        if (line.startsWith('data: ')) console.log(line.slice(6));
      }
    } catch (e) {
      if (!connected) return refused(e);
      // The connection was cut: connect again.
    }
    await sleep(1000);
  }
}

const [first, ...rest] = process.argv.slice(2);
if (first === undefined || (first !== '--events' && rest.length === 0)) {
  console.error('usage: holdfast.mjs NAME COMMAND... | --events [PREFIX]');
  process.exit(64);
}
process.exit(first === '--events' ? await events(rest[0] ?? '') : await run(first, rest));
