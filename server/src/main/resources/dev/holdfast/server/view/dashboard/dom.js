// Elements of the page. Text is added as text and never as HTML; the page's policy forbids HTML from text.

const SVG = 'http://www.w3.org/2000/svg';

/** Returns an element with attributes and children. An attribute `on…` adds a listener; null and false omit an attribute. Children are elements and texts. */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Returns an SVG element, as `el` does for HTML. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else {
      setAttribute(element, name, value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Changes the text only if it differs, so that the browser announces and paints only changes. */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) {
    element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value === true ? '' : value);
  }
}

export function byId(id) {
  return document.getElementById(id);
}

/**
 * Makes the children of a parent match the items, in their order. Each child keeps its element while its key exists, and with it the focus and the selection.
 */
export function keep(parent, items, keyOf, make, update) {
  const old = parent.kept ?? new Map();
  const now = new Map();
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    const element = old.get(key) ?? make(item);
    now.set(key, element);
    update(element, item);
    if (element === place) {
      place = place.nextElementSibling;
    } else {
      parent.insertBefore(element, place);
    }
  }
  for (const [key, element] of old) {
    if (!now.has(key)) {
      element.remove();
    }
  }
  parent.kept = now;
  if (focused && focused !== document.activeElement && parent.contains(focused)) {
    focused.focus({preventScroll: true}); // moving an element removes its focus
  }
}
