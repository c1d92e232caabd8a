// The token of this tab. The page asks for it once, keeps it in sessionStorage, and never puts it into an address.

import {byId, setText} from './dom.js';

const KEY = 'holdfast-token';

let kept = null;
let asking = null;

export function token() {
  kept ??= fromSession() ?? '';
  return kept;
}

function fromSession() {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keepToken(text) {
  kept = text;
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // The page keeps the token while it is open.
  }
}

export function forgetToken() {
  kept = '';
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // There was no token.
  }
}

/** Asks for a token, with one dialog for all calls; resolves when there is a token to try. */
export function askForToken(problem) {
  asking ??= new Promise((resolve) => {
    const dialog = byId('token-dialog');
    const field = byId('token-field');
    setText(byId('token-problem'), token() ? problem : '');
    field.value = '';
    byId('token-form').onsubmit = (event) => {
      event.preventDefault();
      const text = field.value.trim();
      if (!/^[\x21-\x7e]+$/.test(text)) {
        setText(byId('token-problem'), 'A token has letters, digits and ._~+/-= only.');
        return;
      }
      keepToken(text);
      field.value = '';
      asking = null;
      dialog.oncancel = null;
      dialog.close();
      resolve();
    };
    dialog.oncancel = (event) => event.preventDefault(); // without a token there is nothing to see
    dialog.showModal();
  });
  return asking;
}
