import { attributeOf, type XmlNode, xmlTree } from './xml-tree.ts';

/** Parts of a workbook of Excel by their local names: programs give its namespaces other prefixes, or none. */

/** A file of the workbook by its path; null where there is none. */
export type BookPart = (path: string) => string | null;

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The first child of this name; null when there is none. */
export const find = (node: XmlNode | null, name: string): XmlNode | null =>
  node?.children.find((one) => local(one.name) === name) ?? null;

/** All elements below of this name, in their order. */
export function* namedBelow(node: XmlNode, name: string): Generator<XmlNode> {
  for (const child of node.children) {
    if (local(child.name) === name) yield child;
    else yield* namedBelow(child, name);
  }
}

/** The first element below of this name. */
export function deep(node: XmlNode | null, name: string): XmlNode | null {
  if (!node) return null;
  for (const found of namedBelow(node, name)) return found;
  return null;
}

/** The attribute `val` or `v`, in which such files keep a plain value. */
export const valOf = (node: XmlNode | null): string | null => attributeOf(node, 'val') ?? attributeOf(node, 'v');

/** All text of an element. */
export function textBelow(node: XmlNode | null): string {
  if (!node) return '';
  return node.name === '#text' ? node.text : node.children.map(textBelow).join('');
}

/** A relation's target from the part that names it, as a path in the archive. */
function partPath(from: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1);
  const parts = from.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** The parts that a part names, by the last word of their kind (`drawing`, `chart`, `pivotTable`). */
export function relationsOf(path: string, part: BookPart): { kind: string; path: string }[] {
  const at = path.lastIndexOf('/');
  const text = part(`${path.slice(0, at)}/_rels/${path.slice(at + 1)}.rels`);
  if (text === null) return [];
  return [...namedBelow(xmlTree(text), 'Relationship')].flatMap((one) => {
    const [kind, target] = [attributeOf(one, 'Type')?.split('/').at(-1), attributeOf(one, 'Target')];
    return kind === undefined || target === null ? [] : [{ kind, path: partPath(path, target) }];
  });
}
