/**
 * A small virtual tree: `h()` describes what should be on the page, `patch()` makes it so.
 *
 * Texts only ever become text nodes and attributes, never markup, so a name cannot inject anything. Elements that
 * stay keep their identity: focus, scroll and running animations survive an update.
 */

const SVG_TAGS = new Set([
  "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use", "text", "tspan",
]);
const SVG_NS = "http://www.w3.org/2000/svg";
const described = new WeakMap();
let afterPatch = [];

/**
 * Describes an element. `tag` may carry classes: `h("div.row.mine", {...}, ...)`.
 *
 * Props: `key` (identity among siblings), `style` (object, set through CSSOM), `on...` (handlers), `mounted(el)`,
 * `updated(el)`, `opaque` (children are managed elsewhere); everything else is an attribute, null and false remove it.
 */
export function h(tag, props, ...children) {
  const [name, ...classes] = tag.split(".");
  const all = { ...props };
  const own = [...classes, all.class].filter(Boolean).join(" ");
  if (own) all.class = own;
  return { tag: name, key: all.key, props: all, children: flatten(children) };
}

/** Makes the children of `parent` match `children`, keeping every element that can stay. */
export function patch(parent, children) {
  reconcile(parent, flatten(children));
  const calls = afterPatch;
  afterPatch = [];
  for (const call of calls) call();
}

function flatten(children) {
  const out = [];
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === true) continue;
    out.push(typeof child === "object" ? child : { text: String(child) });
  }
  return out;
}

function reconcile(parent, children) {
  const keyed = new Map();
  const loose = [];
  for (const node of parent.childNodes) {
    const known = described.get(node);
    if (known?.key !== undefined) keyed.set(known.key, node);
    else loose.push(node);
  }
  const chosen = children.map((child) => {
    let node;
    if (child.key !== undefined) {
      node = keyed.get(child.key);
      if (node && described.get(node).tag === child.tag) keyed.delete(child.key);
      else node = undefined;
    } else {
      const at = loose.findIndex((candidate) => fits(candidate, child));
      if (at >= 0) [node] = loose.splice(at, 1);
    }
    return node;
  });
  // What goes, goes first: the nodes that stay are then moved only when their order really changed.
  for (const node of [...keyed.values(), ...loose]) node.remove();
  let cursor = parent.firstChild;
  children.forEach((child, index) => {
    const node = chosen[index] ?? create(child, parent);
    update(node, child, chosen[index] === undefined);
    if (node === cursor) cursor = cursor.nextSibling;
    else parent.insertBefore(node, cursor);
  });
}

function fits(node, child) {
  if (child.text !== undefined) return node.nodeType === Node.TEXT_NODE;
  return described.get(node)?.tag === child.tag;
}

function create(child, parent) {
  if (child.text !== undefined) return document.createTextNode(child.text);
  const inSvg = SVG_TAGS.has(child.tag) && (child.tag === "svg" || parent.namespaceURI === SVG_NS);
  return inSvg ? document.createElementNS(SVG_NS, child.tag) : document.createElement(child.tag);
}

function update(node, child, fresh) {
  if (child.text !== undefined) {
    if (node.data !== child.text) node.data = child.text;
    return;
  }
  const before = described.get(node)?.props ?? {};
  described.set(node, child);
  for (const name of Object.keys(before)) if (!(name in child.props)) setProp(node, name, null, before[name]);
  for (const [name, value] of Object.entries(child.props)) setProp(node, name, value, before[name]);
  if (!child.props.opaque) reconcile(node, child.children);
  if (fresh && child.props.mounted) afterPatch.push(() => child.props.mounted(node));
  if (child.props.updated) afterPatch.push(() => child.props.updated(node));
}

function setProp(node, name, value, before) {
  if (name === "key" || name === "mounted" || name === "updated" || name === "opaque") return;
  if (name === "style") return setStyle(node, value ?? {}, before ?? {});
  if (name.startsWith("on")) {
    node[name] = value ?? null;
    return;
  }
  if (name === "value" || name === "checked") {
    if (node[name] !== value) node[name] = value ?? "";
    return;
  }
  if (value === before) return;
  if (value === null || value === undefined || value === false) {
    if (name.startsWith("aria-") && value === false) node.setAttribute(name, "false");
    else node.removeAttribute(name);
  } else {
    node.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
}

function setStyle(node, style, before) {
  for (const name of Object.keys(before)) if (!(name in style)) node.style.removeProperty(name);
  for (const [name, value] of Object.entries(style)) {
    if (before[name] !== value) node.style.setProperty(name, String(value));
  }
}
