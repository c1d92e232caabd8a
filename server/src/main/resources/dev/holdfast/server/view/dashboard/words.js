// Numbers, times and names in a readable form.

const NUMBER = new Intl.NumberFormat('en');
const CLOCK = new Intl.DateTimeFormat(undefined, {hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23'});

export function count(number) {
  return NUMBER.format(number);
}

export function plural(number, one, many = one + 's') {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** Returns a duration in its two largest units, such as `3 min 12 s`. */
export function span(millis) {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  if (seconds < 60) {
    return `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return `${minutes} min ${seconds % 60} s`;
  }
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Returns a duration as a rough figure: in ms below a second, with tenths below ten seconds. */
export function brief(millis) {
  return millis < 1000 ? `${Math.round(millis)} ms` : millis < 10_000 ? `${(millis / 1000).toFixed(1)} s` : span(millis);
}

/** Returns the remaining time of a lease, with tenths where they matter. */
export function left(millis) {
  return millis > 0 && millis < 2000 ? `${(millis / 1000).toFixed(1)} s` : span(millis);
}

export function milliseconds(micros) {
  const millis = micros / 1000;
  return millis < 10 ? `${millis.toFixed(1)} ms` : brief(millis);
}

/** Returns how far a clock is ahead (+) or behind (−). */
export function offset(millis) {
  return `${millis > 0 ? '+' : millis < 0 ? '−' : '±'}${brief(Math.abs(millis))}`;
}

/** Returns a size with its unit, such as `12 KiB`. */
export function bytes(size) {
  const unit = size < 10_240 ? 0 : size < 10_485_760 ? 1 : 2;
  return `${count(Math.round(size / 1024 ** unit))} ${['B', 'KiB', 'MiB'][unit]}`;
}

export function clock(wallMillis) {
  return CLOCK.format(new Date(wallMillis));
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns a name in which invisible characters, and those that change the writing direction, are visible. */
export function visible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (c) => `\\u${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`);
}

/** Returns a name for an owner: the client's own label, else the client of this server, else the readable part of the owner id. */
export function who(owner) {
  return visible(owner.label ?? owner.client ?? clientName(owner.owner));
}

/** Returns the client behind a label: the name of a token. Without tokens a client is an address, which does not distinguish clients. */
export function whose(owner) {
  return owner.label && owner.client && !isAddress(owner.client) ? visible(owner.client) : '';
}

function isAddress(client) {
  return /^[\d.]+$|:/.test(client);
}

/** Returns the names of nodes without their common parts: the scheme, and the host if all have the same. */
export function shortNames(nodes) {
  const names = nodes.map((node) => node.replace(/^(redis|rediss|holdfast|holdfasts|memory):(\/\/)?/, ''));
  const hosts = new Set(names.map((name) => name.replace(/:\d+$/, '')));
  const ports = names.every((name) => /:\d+$/.test(name));
  return names.map((name) => visible(nodes.length > 1 && hosts.size === 1 && ports ? name.replace(/^.*:/, ':') : name));
}

function clientName(owner) {
  const tilde = owner.indexOf('~');
  return tilde > 0 && owner.includes('/') ? owner.slice(0, tilde) : owner;
}

/** Returns the text as one word of a POSIX shell. */
export function quoted(text) {
  return /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
