// The token of this tab: asked for once, kept in sessionStorage, and never in an address.

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
    // it is kept as long as the page is open
  }
}

export function forgetToken() {
  kept = '';
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // there was none
  }
}

/** Asks for one, once however often it is called; resolves when there is one to be tried. */
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
    dialog.oncancel = (event) => event.preventDefault(); // there is nothing to be seen without
    dialog.showModal();
  });
  return asking;
}
