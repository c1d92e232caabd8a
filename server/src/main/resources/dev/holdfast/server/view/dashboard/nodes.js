// One chip for each node, and whether they are a majority.

import {byId, el, keep, setAttribute, setText} from './dom.js';
import {serverNow} from './server.js';
import {milliseconds, offset, plural, shortNames, span, visible} from './words.js';

const CLUSTER = 'cluster:';

/** Returns whether the server belongs to a cluster, whose servers are one node. */
export function isClustered(overview) {
  return overview.nodes.length === 1 && overview.nodes[0].node.startsWith(CLUSTER);
}

export function showNodes(overview) {
  const voting = overview.nodes.filter((node) => node.state === 'up').length;
  const [tone, text] = verdict(overview, voting);
  setText(byId('majority'), text);
  setAttribute(byId('majority'), 'data-tone', tone);
  showBanner(overview, voting);
  const told = overview.nodesAgeMillis;
  keep(byId('chips'), overview.nodes, (node) => node.node, makeChip, (chip, node) => updateChip(chip, node, told));
}

function verdict(overview, voting) {
  const all = overview.nodes.length;
  if (isClustered(overview)) {
    return voting === 1 ? ['good', 'The cluster has a leader'] : ['bad', 'No server of the cluster leads'];
  }
  if (all === 1 && voting === 1) {
    const own = !overview.nodes[0].node.includes('://');
    return ['good', own ? 'The server’s own node is the only one' : 'One node, the only one'];
  }
  if (!overview.hasMajority) {
    return ['bad', `${voting} of ${all} vote`];
  }
  const more = voting - overview.majority;
  return [voting === all ? 'good' : 'wait', `${voting} of ${all} nodes vote; ${more === 0 ? 'the loss of one ends the majority' : `the majority survives the loss of ${more}`}`];
}

function showBanner(overview, voting) {
  const banner = byId('banner');
  banner.hidden = overview.hasMajority;
  if (!overview.hasMajority && isClustered(overview)) {
    setText(banner, 'No server of the cluster leads: either a majority of the servers is down, or an election is under way. Clients cannot acquire or extend leases. Leases do not expire until a server leads.');
  } else if (!overview.hasMajority) {
    setText(banner, `No majority: ${voting} of ${plural(overview.nodes.length, 'node')} ${voting === 1 ? 'votes' : 'vote'}, and ${overview.majority} are needed. Clients cannot acquire or extend leases. The states of locks on this page are uncertain.`);
  }
}

function makeChip() {
  return el('li', {class: 'chip'}, el('a', {class: 'name'}), el('span', {class: 'fact'}));
}

function updateChip(chip, node, toldMillis) {
  const [name, fact] = chip.children;
  setAttribute(chip, 'data-state', node.state);
  setAttribute(chip, 'title', visible([node.node, node.version, node.detail].filter(Boolean).join(', ')));
  setText(name, shortNames([node.node])[0]);
  setAttribute(name, 'href', node.node.startsWith(CLUSTER) ? '#/cluster' : null);
  setText(fact, facts(node, toldMillis));
}

function facts(node, toldMillis) {
  if (node.state === 'up') {
    const clock = node.clockOffsetMillis === null ? '' : ` · clock ${offset(node.clockOffsetMillis)}`;
    return (node.roundTripMicros === null ? 'votes' : milliseconds(node.roundTripMicros)) + clock;
  }
  if (node.state === 'quarantined') {
    return node.quarantineMillis > 0 ? `quarantine, ${span(node.quarantineMillis - toldMillis + 999)} more` : 'quarantine';
  }
  return `${node.state} for ${span(serverNow() - node.sinceMillis)}`;
}
