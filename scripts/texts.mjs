import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

/**
 * The texts of a page's source, by a parser: what it says through `tr`, `trParts` and `english` (renderer/language/tr.ts), and what
 * looks like a text for a person and goes through none of them (`loose`), which no translation can reach.
 */

const SAYERS = new Set(['tr', 'trParts', 'english']);
/** Attributes that a person reads or hears. */
const READ_ATTRIBUTES = new Set(
  'label title placeholder alt about description hint what caption text heading note error unit empty keys words'.split(
    ' ',
  ),
);
/** Attributes that nobody reads. */
const SILENT_ATTRIBUTES =
  /^(?:className|classNames|style|styles|type|role|id|htmlFor|name|key|size|variant|color|href|to|as|component|data-.*|aria-(?!label$|description$|valuetext$|roledescription$).*|d|viewBox|transform|fill|stroke.*|preload|position|justify|align|autoComplete|inputMode|target|rel|lang|dir|src|accept|pattern|c|fw|ff|w|h|mah|maw|mih|miw|p|px|py|m|mx|my|mt|mb|gap|tone|kind|icon|command)$/;
const SILENT_CALLS =
  /^(?:querySelector|querySelectorAll|closest|matches|addEventListener|removeEventListener|matchMedia|getElementById|setAttribute|getAttribute|removeAttribute|setProperty|getPropertyValue|createElementNS|createElement|startsWith|endsWith|includes|indexOf|split|join|replace|replaceAll|getItem|setItem|removeItem|toLocaleString|toLocaleDateString|RegExp|DisplayNames|test|exec|get|has|execCommand|supports|postMessage)$/;
const KEYS =
  /^(?:(?:Ctrl|Alt|Shift|Mod|Meta|Cmd|Control)\+)*(?:Enter|Escape|Esc|Tab|Space|Backspace|Delete|Home|End|Insert|PageUp|PageDown|Arrow(?:Up|Down|Left|Right)|F\d+|Alt|Shift|Control|Meta|Ctrl|Digit\d|Key[A-Z]|.)$/;
/** Joins the parts of a list, as `listed` does in every language. */
const GLUE = /^,? (?:and|or) $/;
/** The id of a command. */
const COMMAND = /^\p{Ll}+\.\p{Ll}[\p{L}\d]*$/u;

/**
 * @param {string} file its name, for the parser
 * @param {string} source
 * @returns {{ said: { text: string | null, names: string[] | null, rich: boolean, line: number }[],
 *   loose: { text: string, kind: 'jsx' | 'literal' | 'template' | 'plural', node: any, parents: any[], line: number }[] }}
 *   `text` null: it is not written out where it is said, so nobody can find it. `names` null: its values are not written out.
 */
export function textsIn(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length) throw new Error(`${file}: ${errors[0].message}`);
  const said = [];
  const loose = [];
  const lineOf = (at) => source.slice(0, at).split('\n').length;
  const visit = (node, parents, silent) => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      for (const one of node) visit(one, parents, silent);
      return;
    }
    if (typeof node.type !== 'string') return;
    if (/^(?:Import|ExportAll)/.test(node.type)) return;
    if (node.type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(node.type)) return;
    const inside = [...parents, node];
    const down = (child, quiet = silent) => visit(child, inside, quiet);
    const found = (kind, text) => {
      if (!silent) loose.push({ text, kind, node, parents, line: lineOf(node.start) });
    };
    switch (node.type) {
      case 'CallExpression':
      case 'NewExpression': {
        const name = node.callee.property?.name ?? node.callee.name ?? '';
        if (node.type === 'CallExpression' && SAYERS.has(name) && node.callee.type === 'Identifier') {
          said.push({ ...saidBy(node), rich: name === 'trParts', line: lineOf(node.start) });
          down(node.arguments.slice(1));
          return;
        }
        if (name === 'plural' && node.callee.type === 'Identifier') {
          found('plural', source.slice(node.start, node.end));
          return;
        }
        const quiet =
          silent ||
          SILENT_CALLS.test(name) ||
          node.callee.object?.name === 'console' ||
          (node.type === 'NewExpression' && /Error$/.test(name));
        down(node.callee);
        down(node.arguments, quiet);
        return;
      }
      case 'BinaryExpression':
        down([node.left, node.right], silent || /^(?:[!=]==?|in)$/.test(node.operator));
        return;
      case 'SwitchCase':
        down(node.consequent);
        return;
      case 'Property':
        if (node.computed) down(node.key);
        down(node.value, silent || (node.key.name !== 'name' && SILENT_ATTRIBUTES.test(node.key.name ?? '')));
        return;
      case 'MemberExpression':
        down(node.object);
        return;
      case 'ExportNamedDeclaration':
        down(node.declaration);
        return;
      case 'JSXAttribute':
        down(node.value, silent || isSilent(node, parents.at(-1)));
        return;
      case 'JSXText': {
        const text = joined(node.value);
        if (/\p{L}{2}/u.test(text)) found('jsx', text);
        return;
      }
      case 'Literal':
        if (typeof node.value !== 'string') return;
        if (GLUE.test(node.value))
          loose.push({ text: node.value, kind: 'literal', node, parents, line: lineOf(node.start) });
        else if (isText(node.value, shownAt(parents) || isInTable(parents))) found('literal', node.value);
        return;
      case 'TaggedTemplateExpression':
        return;
      case 'TemplateLiteral': {
        const text = node.quasis.map(({ value }) => value.cooked).join('{}');
        if (
          isText(node.quasis.map(({ value }) => value.cooked).join('Xx'), shownAt(parents) && /\p{L}{2}/u.test(text)) &&
          node.quasis.some(({ value }) => /(?:^|[\s(])\p{L}{2,}(?:[\s.,:;!?)]|$)/u.test(value.cooked))
        ) {
          found('template', text);
        }
        down(node.expressions);
        return;
      }
      default:
        for (const [key, child] of Object.entries(node)) {
          if (key !== 'typeAnnotation' && key !== 'typeArguments' && key !== 'key') down(child);
        }
    }
  };
  visit(program.body, [], false);
  return { said, loose };
}

function saidBy(call) {
  const [text, values] = call.arguments;
  const written = text?.type === 'Literal' && typeof text.value === 'string' ? text.value : null;
  if (!values) return { text: written, names: [] };
  if (values.type !== 'ObjectExpression' || values.properties.some(({ type }) => type !== 'Property')) {
    return { text: written, names: null };
  }
  return { text: written, names: values.properties.map(({ key }) => key.name ?? key.value) };
}

const nameOf = (name) => (name.type === 'JSXNamespacedName' ? `${name.namespace.name}-${name.name.name}` : name.name);

/** Whether nobody reads the attribute. `name` is an id in HTML, and what a person reads in most components of ours. */
function isSilent(attribute, element) {
  const name = nameOf(attribute.name);
  if (name === 'name' && /^\p{Lu}/u.test(element?.name?.name ?? '')) return false;
  return SILENT_ATTRIBUTES.test(name);
}

/** Whether what is here is shown as it is: between tags, or in an attribute that a person reads,
 * also in the lists of one (the keys of a list of rows). */
function shownAt(parents) {
  let list = false;
  for (const parent of [...parents].reverse()) {
    if (/^(?:Conditional|Logical|Parenthesized|TSAs|TSSatisfies|TSNonNull)/.test(parent.type)) continue;
    if (parent.type === 'JSXExpressionContainer') continue;
    if (parent.type === 'ArrayExpression') {
      list = true;
      continue;
    }
    if (parent.type === 'JSXAttribute') {
      const name = nameOf(parent.name);
      return READ_ATTRIBUTES.has(name) || name === 'aria-label' || name === 'aria-description';
    }
    if (parent.type === 'Property') return !list && READ_ATTRIBUTES.has(parent.key.name ?? '');
    return !list && (parent.type === 'JSXElement' || parent.type === 'JSXFragment');
  }
  return false;
}

/** Whether it is a value of a constant table in which others are said: `{ open: 'open', settled: tr('settled') }`. */
function isInTable(parents) {
  const [declared, ...inside] = parents.slice(parents.findLastIndex(({ type }) => type === 'VariableDeclarator'));
  const table = inside.find(({ type }) => type === 'ObjectExpression');
  if (declared?.type !== 'VariableDeclarator' || !table) return false;
  if (inside.some(({ type }) => !/^(?:TSAs|TSSatisfies|ObjectExpression|Property)/.test(type))) return false;
  const { properties } = inside.findLast(({ type }) => type === 'ObjectExpression');
  return properties.some(({ value }) => value?.type === 'CallExpression' && SAYERS.has(value.callee.name));
}

function isText(value, shown) {
  if (KEYS.test(value) || !/\p{L}{2}/u.test(value)) return false;
  if (shown) return !COMMAND.test(value);
  if (/^[\p{Ll}\d-]+$/u.test(value) || /[/_$]|=>|^\.|^#|\(.*px|^[\d.]+\p{Ll}+( |$)/u.test(value)) return false;
  return /\p{L}{2,} \p{L}|\p{L}[,.:;!?…] |^\p{Lu}\p{Ll}+(?:[\s.…!?]|$)/u.test(value);
}

/** A text as JSX reads it: lines are trimmed and joined by one space. */
function joined(text) {
  return text
    .split('\n')
    .map((line, at, lines) => {
      let kept = line;
      if (at > 0) kept = kept.trimStart();
      if (at < lines.length - 1) kept = kept.trimEnd();
      return kept;
    })
    .filter((line) => line !== '')
    .join(' ');
}

const NO_TEXTS = /\.test\.|-for-tests\.|\.d\.ts$|^renderer\/(?:language|dist)\/|vite\.config/;

/** The pages' own files, with their texts. */
export function textsOfPages(root) {
  return globSync('renderer/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !NO_TEXTS.test(file))
    .sort()
    .map((file) => ({ file, ...textsIn(file, readFileSync(join(root, file), 'utf8')) }));
}

/** The translations of a language by file: English to the other. */
export function catalogueOf(root, language) {
  const folder = join('renderer/language', language);
  return new Map(
    globSync('*.json', { cwd: join(root, folder) })
      .sort()
      .map((name) => [join(folder, name), JSON.parse(readFileSync(join(root, folder, name), 'utf8'))]),
  );
}
