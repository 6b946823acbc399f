import type { ElementLine } from '../../schemas/elements.ts';

type Box = { x: number; y: number; width: number; height: number };

/** How deep into a tree names are looked for: hand-made trees must not exhaust the stack. */
const DEPTH = 12;

/**
 * The element of one line of AgentNet's element.jsonl: the tree's root is what the system named under the click; when the
 * root has no name, the nearest named thing in it. `scale` as for events. Null when nothing of it can be read.
 * Windows (uiautomation): Name, ControlType, BoundingRectangle {left, top, right, bottom}, Children.
 * macOS (AX): AXTitle, AXDescription, AXValue, AXRole, AXFrame {x, y, w, h}, AXChildren.
 */
export function elementOf(tree: unknown, t: number, scale: { x: number; y: number }): ElementLine | null {
  const root = fieldsOf(tree);
  if (root === null) return null;
  const name = nameIn(root, DEPTH);
  const role = text(root.ControlType ?? root.AXRole ?? root.AXRoleDescription).slice(0, 200);
  const box = boxOf(root);
  if (name === '' && role === '' && box === null) return null;
  return { t, name: name.slice(0, 2000), role, bounds: box && scaled(box, scale) };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null; // Looked at above.
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

function nameIn(node: Fields, depth: number): string {
  const own = text(node.Name) || text(node.AXTitle) || text(node.AXDescription) || text(node.AXValue);
  if (own !== '' || depth === 0) return own;
  const children = node.Children ?? node.AXChildren;
  if (!Array.isArray(children)) return '';
  for (const child of children.slice(0, 50)) {
    const fields = fieldsOf(child);
    const name = fields && nameIn(fields, depth - 1);
    if (name) return name;
  }
  return '';
}

function boxOf(node: Fields): Box | null {
  const rect = fieldsOf(node.BoundingRectangle);
  if (rect) {
    const [left, top, right, bottom] = [rect.left, rect.top, rect.right, rect.bottom].map(finite);
    if (left == null || top == null || right == null || bottom == null) return null;
    return { x: left, y: top, width: right - left, height: bottom - top };
  }
  const frame = fieldsOf(node.AXFrame);
  if (!frame) return null;
  const [x, y, width, height] = [frame.x, frame.y, frame.w, frame.h].map(finite);
  return x == null || y == null || width == null || height == null ? null : { x, y, width, height };
}

const finite = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 1e6 ? value : null;

function scaled({ x, y, width, height }: Box, scale: { x: number; y: number }): ElementLine['bounds'] {
  const [left, top] = [Math.round(x * scale.x), Math.round(y * scale.y)];
  const [right, bottom] = [Math.round((x + width) * scale.x), Math.round((y + height) * scale.y)];
  return right < left || bottom < top ? null : { x: left, y: top, width: right - left, height: bottom - top };
}
