// The servers of the cluster: which one leads, how far their logs are, and their health.

import {el, keep, setAttribute, setText} from './dom.js';
import {PlainTable} from './plain-table.js';
import {get} from './server.js';
import {bytes, capital, count, plural, span, visible} from './words.js';

const HEADS = ['Server', 'Role', 'Health', '#Last entry', '#Committed', '#Applied', '#Lag', '#Term', 'Last snapshot', 'Last contact', 'Addresses'];

/** The colour of a server's health; all others are bad. */
const TONES = {well: 'good', behind: 'wait'};

export class Cluster {
  constructor(changed) {
    this.title = 'Cluster';
    this.heading = el('h1', {id: 'cluster-title', tabindex: '-1'}, 'Cluster');
    this.verdict = el('p', {class: 'state', role: 'status'});
    this.note = el('p', {class: 'note pad'});
    this.table = new PlainTable('Table of servers', 'The servers of the cluster', HEADS, changed);
    this.element = el('section', {class: 'card locks cluster', 'aria-labelledby': 'cluster-title'},
      el('div', {class: 'tools'}, this.heading, el('span', {class: 'grow'}), this.verdict), ...this.table.elements, this.note);
  }

  async refresh() {
    const cluster = await get('/v1/cluster');
    setText(this.heading, `Cluster ${visible(cluster.cluster)}`);
    const [tone, text] = verdict(cluster);
    setText(this.verdict, text);
    setAttribute(this.verdict, 'data-tone', tone);
    this.table.show(cluster.servers, (server) => server.address, makeRow, (row, server) => update(row, server, cluster));
    setText(this.note, `As server ${visible(cluster.server)}, which shows this page, sees it. The lag is how many entries of the leader’s log a server lacks. An entry is committed once it is on the disks of a majority, and applied once the locks of the server contain it. The age of a snapshot is by the clock of its server.`);
  }

  tick() {}
}

function verdict({leader, term, majority, takingPart, groups, servers}) {
  const more = takingPart - majority;
  const rest = more < 0 ? `${majority} are needed` : more === 0 ? 'the loss of one ends the majority' : `the majority survives the loss of ${more}`;
  const part = `${takingPart} of ${plural(servers.length, 'server')} ${takingPart === 1 ? 'takes' : 'take'} part; ${rest}`;
  const without = groups.filter((group) => group.leader === undefined).map(({group}) => group);
  if (without.length > 0) {
    return ['bad', groups.length === 1 ? `No server leads. ${part}` : `No server leads ${without.length === 1 ? 'group' : 'the groups'} ${without.join(', ')}. ${part}`];
  }
  const lead = groups.length === 1 ? `Server ${visible(leader)} leads, term ${count(term)}` : `All ${count(groups.length)} groups of locks have a leader`;
  return [takingPart === servers.length ? 'good' : 'wait', `${lead}. ${part}`];
}

function roleOf({role, groups}, cluster) {
  if (role === 'unknown') {
    return 'takes no part';
  }
  return role === 'leader' && cluster.groups.length > 1 ? `leads ${groups.length === 1 ? 'group' : 'groups'} ${groups.join(', ')}` : role;
}

function addressesOf({uri, address}) {
  const ofClients = uri === undefined ? [] : [{what: 'clients', address: uri.replace(/^holdfasts?:\/\//, '')}];
  return [...ofClients, {what: 'servers', address}];
}

function makeRow() {
  return el('tr', {}, el('td', {}, el('strong', {class: 'mono'}), el('span', {class: 'by'})), el('td', {class: 'role'}), el('td', {class: 'health'}, el('span', {class: 'mark-word'}), el('span', {class: 'why'})),
    ...HEADS.slice(3, 8).map(() => el('td', {class: 'num'})), el('td'), el('td'), el('td', {class: 'addresses'}));
}

function update(row, server, cluster) {
  const [name, role, health, last, committed, applied, lag, term, snapshot, contact, addresses] = row.children;
  setText(name.firstElementChild, visible(server.name));
  setText(name.lastElementChild, server.name === cluster.server ? ' shows this page' : '');
  setText(role, roleOf(server, cluster));
  setAttribute(role, 'data-role', server.role);
  setAttribute(health, 'data-tone', TONES[server.health] ?? 'bad');
  setText(health.firstElementChild, capital(server.health.replace('-', ' ')));
  setText(health.lastElementChild, ` ${visible(server.detail)}`);
  [[last, server.lastIndex], [committed, server.committedIndex], [applied, server.appliedIndex], [lag, server.lag], [term, server.term]]
    .forEach(([cell, number]) => setText(cell, number === undefined ? '' : count(number)));
  setAttribute(lag, 'data-tone', server.health === 'behind' ? 'wait' : null);
  setText(snapshot, server.snapshotAgeMillis === undefined ? (server.lastIndex === undefined ? '' : 'none yet') : `${span(server.snapshotAgeMillis)} ago, up to entry ${count(server.snapshotIndex)}, ${bytes(server.snapshotBytes)}`);
  setText(contact, server.name === cluster.server ? '' : server.contactMillis === undefined ? 'never since this server started' : server.contactMillis < 1000 ? 'now' : `${span(server.contactMillis)} ago`);
  keep(addresses, addressesOf(server), ({what}) => what, ({what}) => el('span', {}, el('span', {class: 'mono'}), ` for ${what}`), (line, {address}) => setText(line.firstElementChild, visible(address)));
}
