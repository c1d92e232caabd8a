// Requests to the server, with the token of this tab, a timeout, and the server's clock.

import {token} from './token.js';

const PATIENCE_MILLIS = 8000;

let offsetMillis = 0;

/** Returns the server's wall clock, according to its last answer. */
export function serverNow() {
  return Date.now() + offsetMillis;
}

/** A rejection by the server, with its problem details (RFC 9457); the status is 0 if there was no answer. */
export class Refused extends Error {
  constructor(status, kind, detail) {
    super(detail);
    this.status = status;
    this.kind = kind;
  }
}

export function get(path, parameters = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== null && value !== ''));
  return ask(query.size ? `${path}?${query}` : path, {});
}

export function post(path, body) {
  return ask(path, {method: 'POST', body: JSON.stringify(body), headers: {'Content-Type': 'application/json'}});
}

async function ask(path, options) {
  const response = await answered(path, options, AbortSignal.timeout(PATIENCE_MILLIS));
  const json = await response.json().catch(() => {
    throw new Refused(0, 'unreadable', 'The answer is not JSON.');
  });
  if (typeof json.atMillis === 'number') {
    offsetMillis = json.atMillis - Date.now();
  }
  return json;
}

/** Returns the response once its head has arrived. */
export async function answered(path, options, signal) {
  const headers = {...options.headers};
  if (token()) {
    headers.Authorization = `Bearer ${token()}`;
  }
  let response;
  try {
    response = await fetch(path, {...options, headers, signal, credentials: 'omit', cache: 'no-store'});
  } catch (failure) {
    throw new Refused(0, 'unreachable', failure.name === 'TimeoutError' ? 'The server does not answer.' : 'The server can’t be reached.');
  }
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    throw new Refused(response.status, String(problem.type ?? '').replace(/^.*:/, ''), problem.detail ?? `The answer is ${response.status}.`);
  }
  return response;
}
