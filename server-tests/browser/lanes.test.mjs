// The modules that need no page: lanes of the timeline, names, times.

import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';

async function load(name) {
  const text = await readFile(new URL(`../../server/src/main/resources/dev/holdfast/server/view/dashboard/${name}`, import.meta.url), 'utf8');
  return import(`data:text/javascript,${encodeURIComponent(text)}`);
}

const {gapsOf, lanesOf, Sightings, windowOf} = await load('lanes.js');
const {Range} = await load('range.js');
const {bandsOf, handOversOf, ladderOf, outagesOf} = await load('bands.js');
const {estimate, groupsAhead} = await load('estimate.js');
const {binsOf, limitText} = await load('histogram.js');
const {levelsOf} = await load('levels.js');
const {isBreakable, othersOf} = await load('breakable.js');
const {brief, left, milliseconds, offset, quoted, shortNames, span, visible, who} = await load('words.js');

const NOW = 10_000_000;
const event = (type, atMillis, owner, more = {}) => ({type, atMillis, owner, label: owner, ...more});
const segments = (lane) => lane.segments.map(({kind, from, to, open}) => [kind, from, to, open]);

test('an owner waits, holds, extends and releases', () => {
  const {lanes} = lanesOf([
    event('queued', NOW - 9000, 'a'), event('granted', NOW - 6000, 'a'), event('extended', NOW - 4000, 'a'), event('released', NOW - 1000, 'a'),
  ], new Sightings(), NOW);
  assert.deepEqual(segments(lanes[0]), [['waiting', NOW - 9000, NOW - 6000, false], ['held', NOW - 6000, NOW - 1000, false]]);
  assert.deepEqual(lanes[0].marks, [{kind: 'extended', at: NOW - 4000}]);
});

test('a wait or hold that has not ended lasts until now', () => {
  const {lanes} = lanesOf([event('granted', NOW - 500, 'a'), event('queued', NOW - 300, 'b')], new Sightings(), NOW);
  assert.deepEqual(lanes.map(segments), [[['held', NOW - 500, NOW, true]], [['waiting', NOW - 300, NOW, true]]]);
});

test('a later event shows when a forgotten grant began', () => {
  const {lanes} = lanesOf([event('extended', NOW - 10, 'a', {sinceMillis: NOW - 900_000})], new Sightings(), NOW);
  assert.deepEqual(segments(lanes[0]), [['held', NOW - 900_000, NOW, true]]);
});

test('a loss ends a lane with a mark', () => {
  for (const type of ['lost', 'expired']) {
    const {lanes} = lanesOf([event('granted', NOW - 500, 'a'), event(type, NOW - 100, 'a')], new Sightings(), NOW);
    assert.deepEqual(segments(lanes[0]), [['held', NOW - 500, NOW - 100, false]]);
    assert.equal(lanes[0].marks[0].kind, type);
  }
});

test('a break of a lease whose owner is unknown marks the lane with its token, or one of its own', () => {
  const broken = {type: 'broken', atMillis: NOW - 100, token: 7, operator: 'ops', reason: 'it hangs'};
  const sightings = new Sightings();
  sightings.add({state: 'held', atMillis: NOW - 500, holders: [{owner: 'x~aaaaaaaa/1', token: 7, hasMajority: true}], waiters: []});
  const [seen] = lanesOf([broken], sightings, NOW).lanes;
  assert.deepEqual(segments(seen), [['held', NOW - 500, NOW - 100, false]]);
  assert.deepEqual(seen.marks, [{kind: 'broken', at: NOW - 100}]);
  const [unseen] = lanesOf([broken], new Sightings(), NOW).lanes;
  assert.equal(who(unseen.owner), 'token 7');
  assert.equal(unseen.marks.length, 1);
});

test('a waiter that leaves the queue no longer waits', () => {
  const {lanes} = lanesOf([event('queued', NOW - 500, 'a'), event('left', NOW - 100, 'a')], new Sightings(), NOW);
  assert.deepEqual(segments(lanes[0]), [['waiting', NOW - 500, NOW - 100, false]]);
});

test('the lanes of other clients show the states seen at the nodes', () => {
  const sightings = new Sightings();
  const status = (atMillis, holders, waiters = []) => ({state: 'held', atMillis, holders: holders.map((owner) => ({owner, hasMajority: true, sinceMillis: NOW - 99_000, sinceExact: false})), waiters: waiters.map((owner) => ({owner: `${owner}/0`, sinceMillis: NOW - 9000}))});
  sightings.add(status(NOW - 5000, ['x~aaaaaaaa/1'], ['y~bbbbbbbb/2']));
  sightings.add(status(NOW - 4000, ['y~bbbbbbbb/2']));
  sightings.add(status(NOW, ['y~bbbbbbbb/2']));
  const {lanes} = lanesOf([], sightings, NOW);
  const of = (name) => segments(lanes.find((lane) => lane.owner.owner.startsWith(name)));
  assert.deepEqual(of('x'), [['held', NOW - 5000, NOW - 5000, false]]);
  assert.deepEqual(of('y'), [['waiting', NOW - 9000, NOW - 4000, false], ['held', NOW - 4000, NOW, true]]);
});

test('a broken lease ends at the break, not when its client notices', () => {
  const sightings = new Sightings();
  const status = (atMillis, holders) => ({state: 'held', atMillis, holders: holders.map((owner) => ({owner, hasMajority: true})), waiters: []});
  sightings.add(status(NOW - 5000, ['a']));
  sightings.add(status(NOW - 1000, []));
  sightings.add(status(NOW, []));
  const {lanes} = lanesOf([event('granted', NOW - 9000, 'a')], sightings, NOW);
  assert.deepEqual(segments(lanes[0]), [['held', NOW - 9000, NOW - 5000, false]]);
});

test('a state without a majority makes no lane', () => {
  const sightings = new Sightings();
  sightings.add({state: 'unknown', atMillis: NOW, holders: [{owner: 'a', hasMajority: false}], waiters: []});
  assert.deepEqual(lanesOf([], sightings, NOW).lanes, []);
});

test('a client that returns keeps its lane, unless two of its requests overlap', () => {
  const of = (type, at, owner, label) => event(type, NOW - at, owner, {label, client: 'c'});
  const {lanes} = lanesOf([
    of('granted', 9000, 'a', 'me'), of('released', 8000, 'a', 'me'), of('granted', 7000, 'b', 'me'), of('queued', 6000, 'c', 'me'),
    of('queued', 5000, 'd', 'you'), of('released', 4000, 'b', 'me'), of('granted', 4000, 'c', 'me'),
  ], new Sightings(), NOW);
  assert.deepEqual(lanes.map((lane) => [lane.owner.label, lane.segments.length]), [['me', 2], ['me', 2], ['you', 1]]);
});

test('gaps are times without a holder', () => {
  const {lanes} = lanesOf([event('granted', 100, 'a'), event('released', 200, 'a'), event('granted', 150, 'b'), event('released', 300, 'b'), event('granted', 400, 'c')], new Sightings(), 500);
  assert.deepEqual(gapsOf(lanes, 50, 500), [{from: 50, to: 100}, {from: 300, to: 400}]);
});

test('the window is as wide as the known history', () => {
  assert.equal(windowOf(NOW - 10_000, NOW), 60_000);
  assert.equal(windowOf(NOW - 200_000, NOW), 300_000);
  assert.equal(windowOf(NOW - 9_000_000, NOW), 600_000);
});

test('of too many lanes some are not drawn, and the rest is counted', () => {
  const events = Array.from({length: 30}, (_, i) => event('granted', NOW - 1000 + i, `o${i}`));
  const {lanes, more} = lanesOf(events, new Sightings(), NOW);
  assert.equal(lanes.length + more, 30);
  assert.equal(lanes.at(-1).owner.owner, 'o29');
});

test('of a deep queue the first waiters are drawn, beside the holder and the last former owners', () => {
  const former = Array.from({length: 12}, (_, i) => [event('granted', NOW - 9000 + 10 * i, `f${i}`), event('released', NOW - 8995 + 10 * i, `f${i}`)]).flat();
  const events = [...former, event('granted', NOW - 5000, 'holder'), ...Array.from({length: 1_000}, (_, i) => event('queued', NOW - 4000 + i, `w${i}`))];
  const {lanes, more, moreWaiters} = lanesOf(events, new Sightings(), NOW);
  const names = lanes.map((lane) => lane.owner.owner);
  assert.deepEqual(names, [...Array.from({length: 8}, (_, i) => `f${i + 4}`), 'holder', ...Array.from({length: 15}, (_, i) => `w${i}`)]);
  assert.deepEqual([more, moreWaiters], [989, 985]);
  const sightings = new Sightings();
  sightings.add({state: 'held', atMillis: NOW, holders: [], waiters: ['w7', 'w3'].map((owner) => ({owner}))}); // the nodes know the order
  assert.deepEqual(lanesOf(events, sightings, NOW).lanes.slice(9, 12).map((lane) => lane.owner.owner), ['w7', 'w3', 'w0']);
});

test('an uncertain holder keeps its lane, unless an event ended its hold', () => {
  const holder = {owner: 'a', label: 'a', sinceMillis: NOW - 9000, sinceExact: true, uncertain: true};
  assert.deepEqual(lanesOf([], new Sightings(), NOW, 0, [holder]).lanes.map(segments), [[['held', NOW - 9000, NOW, true]]]);
  const lost = [event('granted', NOW - 9000, 'a'), event('lost', NOW - 100, 'a')];
  assert.deepEqual(lanesOf(lost, new Sightings(), NOW, 0, [holder]).lanes.map(segments), [[['held', NOW - 9000, NOW - 100, false]]]);
});

test('durations and names as text', () => {
  assert.equal(span(192_000), '3 min 12 s');
  assert.equal(span(-5), '0 s');
  assert.equal(span(49 * 3_600_000), '2 d 1 h');
  assert.equal(left(1500), '1.5 s');
  assert.equal(visible('a\u202Eb\u0000c\u2028'), 'a\\u202Eb\\u0000c\\u2028');
  assert.equal(who({owner: 'billing@h:1~ab12cd34/17/0', client: null, label: null}), 'billing@h:1');
  assert.equal(who({owner: 'x', client: '127.0.0.1', label: 'me'}), 'me');
  assert.deepEqual(shortNames(['redis://a:1', 'redis://a:2']), [':1', ':2']);
  assert.deepEqual(shortNames(['redis://a:1', 'redis://b:1']), ['a:1', 'b:1']);
});

test('a quoted name is one word in a shell', () => {
  assert.equal(quoted('orders:42'), 'orders:42');
  assert.equal(quoted("it's $(rm -rf /)"), "'it'\\''s $(rm -rf /)'");
  assert.equal(quoted('-x'), "'-x'");
});

test('waiters that share a mode get the lock together', () => {
  assert.deepEqual(groupsAhead(['EX', 'PR', 'PR', 'EX', 'EX'].map((mode) => ({mode}))), [0, 1, 1, 2, 3]);
  assert.deepEqual(groupsAhead([{mode: 'CW'}, {mode: 'CW'}, {mode: 'PR'}]), [0, 0, 1]);
});

test('an estimate is a range, and grows with the groups ahead', () => {
  const holds = [8_000, 9_000, 10_000, 11_000, 12_000];
  const first = estimate(holds, 0, {heldMillis: 4_000, exact: true});
  assert.deepEqual(first, {low: 4_000, high: 8_000});
  const third = estimate(holds, 2, {heldMillis: 4_000, exact: true});
  assert.ok(third.low > 20_000 && third.low < 26_000 && third.high > 26_000 && third.high < 32_000, JSON.stringify(third));
  assert.ok(third.high - third.low > first.high - first.low);
  assert.equal(estimate(holds, 0, {heldMillis: 4_000, exact: false}).low, 0);
  assert.deepEqual(estimate(holds, 0, null), {low: 0, high: 0});
});

test('without enough holds there is a reason instead of an estimate', () => {
  assert.match(estimate([1, 2, 3, 4], 0, null).reason, /4 of the 5 holds/);
  assert.match(estimate([1, 2, 3, 4, 5], 0, {heldMillis: 4, exact: true}).reason, /longer than 4 of 5 known holds/);
});

test('a waiter is left of its holder, and clients of a circle alternate between columns', () => {
  assert.deepEqual(levelsOf(3, [{waiter: 0, holder: 1, circle: null}, {waiter: 1, holder: 2, circle: null}, {waiter: 0, holder: 2, circle: null}]), [0, 1, 2]);
  assert.deepEqual(levelsOf(2, [{waiter: 0, holder: 1, circle: 1}, {waiter: 1, holder: 0, circle: 1}]), [0, 1]);
  assert.deepEqual(levelsOf(1, [{waiter: 0, holder: 0, circle: 1}]), [0]);
});

test('the bins of a histogram grow, so that short holds are visible beside a very long one', () => {
  const bins = binsOf([0, 12, 14, 15, 18, 40, 3_600_000]);
  const filled = bins.filter(({count}) => count > 0).map(({from, to, count}) => [from, to, count]);
  assert.deepEqual(filled, [[0, 1, 1], [10, 20, 4], [20, 50, 1], [3_600_000, 7_200_000, 1]]);
  assert.ok(bins.every(({from}, index) => index === 0 || from === bins[index - 1].to));
  assert.deepEqual(binsOf([5]).map(({from}) => from).length, 6);
  assert.equal(binsOf([1e12]).at(-1).count, 1);
  assert.deepEqual([0, 500, 20_000, 300_000, 7_200_000].map(limitText), ['0 ms', '500 ms', '20 s', '5 min', '2 h']);
});

test('brief figures', () => {
  assert.equal(brief(250), '250 ms');
  assert.equal(brief(2_345), '2.3 s');
  assert.equal(brief(61_000), '1 min 1 s');
  assert.deepEqual([400, 12_300, 2_345_678].map(milliseconds), ['0.4 ms', '12 ms', '2.3 s']);
  assert.deepEqual([0, -3, 3_417_047].map(offset), ['±0 ms', '−3 ms', '+56 min 57 s']);
});

test('the holder has a lane even if it acquired the lock long ago', () => {
  const holder = {owner: 'old', label: 'old', sinceMillis: NOW - 9_000_000, sinceExact: true};
  const events = Array.from({length: 40}, (_, i) => event('queued', NOW - 1000 + i, `o${i}`));
  const {lanes, more} = lanesOf(events, new Sightings(), NOW, NOW - 60_000, [holder]);
  assert.deepEqual(segments(lanes.find((lane) => lane.owner.owner === 'old')), [['held', NOW - 9_000_000, NOW, true]]);
  assert.equal(lanes.length + more, 41);
});

test('a holder of another server has a lane since its request, also in the past, and there is no gap', () => {
  const holder = {owner: 'x~aaaaaaaa/1/0', label: 'x', sinceMillis: NOW - 240_000, sinceExact: false, hasMajority: true};
  const sightings = new Sightings();
  sightings.add({state: 'held', atMillis: NOW - 2000, holders: [holder], waiters: []});
  const live = lanesOf([], sightings, NOW, NOW - 60_000, [holder]);
  assert.deepEqual(segments(live.lanes[0]), [['asked', NOW - 240_000, NOW - 2000, false], ['held', NOW - 2000, NOW, true]]);
  assert.deepEqual(live.gapsFrom(NOW - 60_000), []);
  const past = lanesOf([event('queued', NOW - 230_000, 'b')], sightings, NOW - 200_000, NOW - 250_000, [holder], false);
  assert.deepEqual(segments(past.lanes.find((lane) => lane.owner.label === 'x')), [['asked', NOW - 240_000, NOW - 200_000, false]]);
  assert.deepEqual(past.gapsFrom(NOW - 240_000), []);
  assert.deepEqual(lanesOf([], sightings, NOW - 300_000, NOW - 400_000, [holder], false).lanes, []);
});

test('a hold whose grant is known begins there, although the events begin later', () => {
  const holder = {owner: 'a/1', label: 'a', sinceMillis: NOW - 9000, sinceExact: true};
  const {lanes} = lanesOf([event('adopted', NOW - 3000, 'a/1')], new Sightings(), NOW, NOW - 60_000, [holder]);
  assert.deepEqual(segments(lanes[0]), [['held', NOW - 9000, NOW - 3000, false], ['held', NOW - 3000, NOW, true]]);
});

test('zoom keeps the time under the pointer, and ends at now', () => {
  const range = new Range(60_000, NOW - 100_000);
  const before = range.at(NOW, 600_000, 0);
  range.zoom(0.5, 0.5, before, NOW);
  assert.deepEqual(range.at(NOW, 600_000, 0), {start: NOW - 145_000, end: NOW - 115_000, cursor: null});
  range.zoom(1e9, 1, range.at(NOW, 600_000, 0), NOW);
  assert.equal(range.spanMillis, 3_600_000);
  range.zoom(1e-9, 0.5, range.at(NOW, 600_000, 0), NOW);
  assert.equal(range.spanMillis, 1_000);
  range.pan(9_000_000_000, range.at(NOW, 600_000, 0), NOW);
  assert.deepEqual(range.parameters(), {span: '1000', to: null});
});

test('an address has the range, and replay ends automatically', () => {
  const range = Range.of(new URLSearchParams('span=60000&to=123456'));
  assert.deepEqual(range.parameters(), {span: '60000', to: '123456'});
  assert.deepEqual(Range.of(new URLSearchParams('span=x&to=-1')).parameters(), {span: null, to: null});
  range.replay = 1_000;
  assert.equal(range.at(NOW, 1, 11_000).cursor, 123_456 - 30_000);
  assert.equal(range.at(NOW, 1, 21_001).cursor, null);
  assert.equal(range.replay, null);
});

test('bands of nodes that fail, are in quarantine and come back', () => {
  const {bands, starts} = bandsOf([
    {type: 'node-up', node: 'z', atMillis: 200}, {type: 'node-down', node: 'a', state: 'down', atMillis: 300}, {type: 'node-down', node: 'a', state: 'quarantined', atMillis: 400},
    {type: 'node-up', node: 'a', atMillis: 500}, {type: 'server-started', atMillis: 600}, {type: 'node-down', node: 'b', state: 'down', atMillis: 700},
  ], [{node: 'c', state: 'refused', sinceMillis: 50}, {node: 'b', state: 'down', sinceMillis: 700}], 100, 1000);
  assert.deepEqual(bands.map(({node, state, from, to}) => [node, state, from, to]), [['z', 'down', 100, 200], ['a', 'down', 300, 400], ['a', 'quarantined', 400, 500], ['b', 'down', 700, 1000], ['c', 'refused', 100, 1000]]);
  assert.deepEqual(starts, [600]);
});

test('a quarantine after a failure is a band of its own, also before its event has arrived', () => {
  const down = {type: 'node-down', node: 'a', state: 'down', atMillis: 300};
  const of = (incidents) => bandsOf(incidents, [{node: 'a', state: 'quarantined', sinceMillis: 400}], 100, 1000).bands.map(({state, from, to}) => [state, from, to]);
  assert.deepEqual(of([down]), [['down', 300, 400], ['quarantined', 400, 1000]]);
  assert.deepEqual(of([down, {...down, state: 'quarantined', atMillis: 400}, {type: 'server-started', atMillis: 200}]), [['down', 300, 400], ['quarantined', 400, 1000]]);
});

test('without the votes of a majority a time is an outage', () => {
  const bands = [{from: 100, to: 300}, {from: 200, to: 400}, {from: 400, to: 500}, {from: 600, to: 700}];
  assert.deepEqual(outagesOf(bands, 3), [{from: 200, to: 300}]);
  assert.deepEqual(outagesOf(bands, 1), [{from: 100, to: 500}, {from: 600, to: 700}]);
  assert.deepEqual(outagesOf([], 5), []);
});

test('a hand-over leads from the end of a hold to the waiter that follows', () => {
  const {lanes} = lanesOf([
    event('granted', NOW - 900, 'a'), event('queued', NOW - 800, 'b'), event('released', NOW - 500, 'a'), event('granted', NOW - 499, 'b'), event('released', NOW - 300, 'b'), event('granted', NOW - 100, 'c'),
  ], new Sightings(), NOW);
  assert.deepEqual(handOversOf(lanes), [{from: {lane: 0, at: NOW - 500}, to: {lane: 1, at: NOW - 499}}]);
});

test('a hand-over may be slow, and the server may record the release after the next grant', () => {
  const {lanes} = lanesOf([
    event('granted', NOW - 9000, 'a'), event('queued', NOW - 8000, 'b'), event('queued', NOW - 7500, 'c'), event('released', NOW - 7000, 'a'), event('granted', NOW - 4000, 'b'),
    event('granted', NOW - 2000, 'c'), event('released', NOW - 1500, 'b'),
  ], new Sightings(), NOW);
  assert.deepEqual(handOversOf(lanes), [{from: {lane: 0, at: NOW - 7000}, to: {lane: 1, at: NOW - 4000}}, {from: {lane: 1, at: NOW - 1500}, to: {lane: 2, at: NOW - 2000}}]);
});

test('a hold that ended before the wait began hands nothing over', () => {
  const {lanes} = lanesOf([
    event('granted', NOW - 900, 'a'), event('released', NOW - 800, 'a'), event('queued', NOW - 700, 'b'), event('granted', NOW - 600, 'b'),
  ], new Sightings(), NOW);
  assert.deepEqual(handOversOf(lanes), []);
});

test('tokens form a ladder', () => {
  const grant = (atMillis, token) => ({type: 'granted', atMillis, token});
  assert.deepEqual(ladderOf([grant(10, 7), grant(50, 8), grant(60, 9)], 20, 100), [{at: 20, token: 7, rank: 0, of: 3}, {at: 50, token: 8, rank: 1, of: 3}, {at: 60, token: 9, rank: 2, of: 3}]);
});

test('a stray vote with the token of the lease cannot be broken, since the break would end the lease', () => {
  const holder = {kind: 'holdfast', token: 7, hasMajority: true};
  const stray = {kind: 'holdfast', token: 7, hasMajority: false};
  assert.equal(isBreakable(holder, [holder, stray]), true);
  assert.equal(isBreakable(stray, [holder, stray]), false);
  assert.equal(isBreakable(stray, [stray]), true);
  assert.equal(isBreakable({...stray, token: 6}, [holder]), true);
  assert.equal(isBreakable({...holder, kind: 'foreign'}, [holder]), false);
});

test('a break can end the leases of other holders with the same token', () => {
  const reader = (owner, token, hasMajority = true) => ({owner, token, hasMajority});
  const first = reader('a', 7);
  assert.deepEqual(othersOf(first, [first, reader('b', 7), reader('c', 8), reader('d', 7, false)]), {kept: 1, sameToken: 1});
});
