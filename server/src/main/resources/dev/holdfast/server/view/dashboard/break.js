// Breaking a lease: for users with the right who give a reason and name exactly this lease.

import {byId, el, setText} from './dom.js';
import {post} from './server.js';
import {visible, who} from './words.js';

export class Break {
  /** @param done called after a lease was broken */
  constructor(done) {
    this.done = done;
    this.what = el('dl', {class: 'facts'});
    this.token = el('input', {id: 'break-token', class: 'mono', inputmode: 'numeric', autocomplete: 'off', required: true, oninput: () => this.check(), 'aria-describedby': 'break-hint'});
    this.reason = el('input', {id: 'break-reason', maxlength: '200', autocomplete: 'off', required: true, oninput: () => this.check()});
    this.problem = el('p', {class: 'problem', role: 'alert'});
    this.go = el('button', {class: 'danger', type: 'submit', disabled: true}, 'Break this lease');
    this.dialog = el('dialog', {'aria-labelledby': 'break-title'},
      el('form', {onsubmit: (event) => this.submit(event)},
        el('h2', {id: 'break-title'}, 'Break a lease'),
        el('p', {}, 'The lock goes to the next in line at once. The holder learns of it at its next extension and may go on until then: what the lock protects is safe only if it checks tokens.'),
        this.what,
        el('label', {for: 'break-token'}, 'Its token, so that no later holder is hit'), this.token,
        el('p', {class: 'hint', id: 'break-hint'}, 'Copy it from above.'),
        el('label', {for: 'break-reason'}, 'Why; this is logged'), this.reason,
        this.problem,
        el('div', {class: 'actions'}, el('button', {type: 'button', onclick: () => this.dialog.close()}, 'Cancel'), this.go)));
  }

  open(lock, holder) {
    this.lock = lock;
    this.holder = holder;
    this.what.replaceChildren(
      el('dt', {}, 'Lock'), el('dd', {class: 'mono'}, visible(lock)),
      el('dt', {}, 'Holder'), el('dd', {}, who(holder)),
      el('dt', {}, 'Token'), el('dd', {class: 'mono', 'data-token': holder.token}, String(holder.token)));
    this.token.value = '';
    this.reason.value = '';
    setText(this.problem, '');
    this.check();
    this.dialog.showModal();
    this.token.focus();
  }

  check() {
    this.go.disabled = this.token.value.trim() !== String(this.holder.token) || this.reason.value.trim() === '';
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
      this.check();
    }
  }
}
