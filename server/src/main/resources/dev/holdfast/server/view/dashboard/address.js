// The address of a view: its path and its query, both behind the #. A copied address opens the same view.

/** Returns the view's name, the lock's name if it is the view of a lock, and the query. */
export function read() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  const [view, ...rest] = path.split('/');
  const found = {view: view || 'locks', name: null, query: new URLSearchParams(query)};
  if (view === 'lock') {
    try {
      found.name = decodeURIComponent(rest.join('/'));
    } catch {
      found.name = null; // the address has an invalid escape
    }
    found.view = found.name ? 'lock' : 'locks';
  }
  return found;
}

/** Changes the query without a new view. Parameters that are null or empty are omitted. */
export function write(parameters) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== null && value !== ''));
  const path = location.hash.replace(/\?.*$/, '') || '#/';
  const wanted = query.size ? `${path}?${query}` : path;
  if (wanted !== location.hash) {
    history.replaceState(null, '', wanted);
  }
}

export function lockAddress(name) {
  return `#/lock/${encodeURIComponent(name)}`;
}
