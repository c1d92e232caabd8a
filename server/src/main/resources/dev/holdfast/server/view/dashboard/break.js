// Breaking a lease: for users with the right who enter the lock's name and a reason.

import {othersOf} from './breakable.js';
import {byId, el, setText} from './dom.js';
import {post} from './server.js';
import {left, plural, visible, who} from './words.js';

export class Break {
  /** @param done called after a lease was broken, or if it had ended before */
  constructor(done) {
    this.done = done;
    this.facts = el('dl', {class: 'facts'});
    this.effects = el('ul', {class: 'effects'});
    this.name = el('input', {id: 'break-name', class: 'mono', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', required: true, oninput: () => this.check()});
    this.reason = el('input', {id: 'break-reason', maxlength: '200', autocomplete: 'off', required: true, oninput: () => this.check()});
    this.problem = el('p', {class: 'problem', role: 'alert'});
    this.go = el('button', {class: 'danger', type: 'submit', disabled: true}, 'Break this lease');
    this.dialog = el('dialog', {'aria-labelledby': 'break-title', 'aria-describedby': 'break-effects'},
      el('form', {onsubmit: (event) => this.submit(event)},
        el('h2', {id: 'break-title'}, 'Break a lease'),
        this.facts,
        el('div', {id: 'break-effects'}, el('p', {}, 'What will happen:'), this.effects),
        el('label', {for: 'break-name'}, 'Name of the lock, to confirm'), this.name,
        el('label', {for: 'break-reason'}, 'Reason, for the log'), this.reason,
        this.problem,
        el('div', {class: 'actions'}, el('button', {type: 'button', onclick: () => this.dialog.close()}, 'Cancel'), this.go)));
  }

  /** @param status the lock's state, from which the dialog tells what a break does */
  open(lock, holder, status) {
    this.lock = lock;
    this.holder = holder;
    this.facts.replaceChildren(
      el('dt', {}, 'Holder'), el('dd', {}, who(holder)),
      el('dt', {}, 'Token'), el('dd', {class: 'mono'}, String(holder.token)),
      el('dt', {}, 'Lease left'), el('dd', {}, holder.remainingMillis === null ? 'no end' : left(holder.remainingMillis)));
    this.effects.replaceChildren(...effectsOf(holder, status).map((text) => el('li', {}, text)));
    this.name.value = '';
    this.reason.value = '';
    setText(this.problem, '');
    this.check();
    this.dialog.showModal();
    this.name.focus();
  }

  check() {
    this.go.disabled = ![this.name.value, this.name.value.trim()].includes(visible(this.lock)) || this.reason.value.trim() === '';
  }

  async submit(event) {
    event.preventDefault();
    this.go.disabled = true;
    try {
      await post('/v1/break', {lock: this.lock, token: this.holder.token, reason: this.reason.value.trim()});
      this.dialog.close();
      setText(byId('announce'), 'The lease is broken.');
      this.done();
    } catch (failure) {
      setText(this.problem, visible(failure.message));
      if (failure.status === 404) { // the lease has ended: the facts above are its last ones, and there is nothing to break
        this.done();
      } else {
        this.check();
      }
    }
  }
}

function effectsOf(holder, {holders, waiters}) {
  const {kept, sameToken} = othersOf(holder, holders);
  const next = waiters[0];
  return [
    `The nodes remove the lease with token ${holder.token}. A newer lease of this lock is not affected.`,
    kept > 0 ? `${plural(kept, 'other holder')} that ${kept === 1 ? 'shares' : 'share'} the lock ${kept === 1 ? 'keeps its lease' : 'keep their leases'}.` : null,
    sameToken > 0 ? `${plural(sameToken, 'other holder')} with the same token can lose ${sameToken === 1 ? 'its lease' : 'their leases'} too.` : null,
    next ? `${who(next)} is first in the queue${waiters.length > 1 ? `, before ${plural(waiters.length - 1, 'other waiter')},` : ''} and can acquire the lock at once.` : 'No client waits; the lock is free for the next request.',
    `${who(holder)} learns of the break from its next request or extension, and may work until then. The protected resource is safe only if it rejects old tokens.`,
    'The server logs your name and the reason, and notifies all readers of its events.',
  ].filter(Boolean);
}
