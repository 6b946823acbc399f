import { attribute, XmlError, xmlPieces } from './xml.ts';

/** An element of an XML file with all that is in it: for the parts of office documents that must be walked. */
export type XmlNode = { name: string; attributes: string; children: XmlNode[]; text: string };

/** More elements than this, or one in another so often, are no document that a check looks at. */
const MOST_NODES = 600_000;
const DEEPEST = 400;

/** Reads a whole file. Throws XmlError for what is none, is too large, or closes what it did not open. */
export function xmlTree(source: string): XmlNode {
  const root: XmlNode = { name: '', attributes: '', children: [], text: '' };
  const open = [root];
  let nodes = 0;
  for (const piece of xmlPieces(source)) {
    const top = open.at(-1)!; // The root is never closed.
    if (piece.is === 'text') {
      // Text stands between elements, in its own node, so that its place is kept.
      if (piece.text !== '') top.children.push({ name: '#text', attributes: '', children: [], text: piece.text });
      continue;
    }
    if (piece.is === 'close') {
      if (open.length === 1 || top.name !== piece.name)
        throw new XmlError(`it closes ${piece.name.slice(0, 60)} wrongly`);
      open.pop();
      continue;
    }
    if (++nodes > MOST_NODES) throw new XmlError(`it has more than ${MOST_NODES} elements`);
    const node: XmlNode = { name: piece.name, attributes: piece.attributes, children: [], text: '' };
    top.children.push(node);
    if (piece.empty) continue;
    open.push(node);
    if (open.length > DEEPEST) throw new XmlError('its elements lie too deep in each other');
  }
  if (open.length > 1) throw new XmlError('it ends in the middle');
  return root;
}

/** The first child of this name; null when there is none. */
export const childOf = (node: XmlNode | null, name: string): XmlNode | null =>
  node?.children.find((one) => one.name === name) ?? null;

/** An attribute of a node that may be absent. */
export const attributeOf = (node: XmlNode | null, name: string): string | null =>
  node === null ? null : attribute(node.attributes, name);

/** All elements below that have one of these names, in their order; none is looked for inside of another. */
export function* below(node: XmlNode, names: ReadonlySet<string>): Generator<XmlNode> {
  for (const child of node.children) {
    if (names.has(child.name)) yield child;
    else yield* below(child, names);
  }
}
