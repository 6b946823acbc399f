import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

/**
 * Long functions that stand in for a class: many lines, and functions within that share what is declared in them. Such a
 * one becomes a class, or several modules whose functions take what they need.
 */

/** A function whose inner functions share its variables has at most so many lines. */
export const MOST_CLOSURE_LINES = 150;
/** Components and hooks that are longer are printed; they do not fail the check. */
const LONG_COMPONENT = 200;
/** From so many inner functions with shared variables on, a function stands in for a class. */
const SHARING = 4;

/** The long closures and components of everything but tests, the longest first. */
export function longFunctions(root) {
  return globSync('{schemas,core,native,studio,renderer,electron}/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.tsx?$|-for-tests\.tsx?$|\.d\.ts$/.test(file))
    .flatMap((file) => longFunctionsIn(file, readFileSync(join(root, file), 'utf8')))
    .sort((a, b) => b.lines - a.lines);
}

/**
 * The long functions of a source text. A function of the file that is called `Name` or `useName` is a component or a hook.
 * Any other counts if it returns an object with two functions or more, or if four or more of its inner functions use its
 * variables or parameters.
 * @throws {Error} with the file and the fault, for a text that cannot be parsed
 */
export function longFunctionsIn(file, source) {
  if (linesOf(source) <= MOST_CLOSURE_LINES) return [];
  const { program, errors } = parseSync(file, source);
  const fault = errors.find(({ severity }) => severity === 'Error');
  if (fault) throw new Error(`${file}: ${fault.message}`);
  const found = [];
  walk(program, (node, around) => {
    if (!isFunction(node)) return;
    const lines = linesOf(source.slice(node.start, node.end));
    if (lines <= MOST_CLOSURE_LINES) return;
    const name = nameOf(node, around);
    const component = /^(?:use)?[A-Z]/.test(name) && !around.some(isFunction);
    if (component ? lines <= LONG_COMPONENT : !standsForClass(node)) return;
    const line = linesOf(source.slice(0, node.start));
    found.push({ file, line, name, lines, kind: component ? 'component' : 'closure' });
  });
  return found;
}

/** The faults of these long functions: components are only printed. */
export function closureFaults(long) {
  return long
    .filter(({ kind }) => kind === 'closure')
    .map(
      ({ file, line, name, lines }) =>
        `${file}:${line} ${name}: ${lines} lines of functions that share variables; split it, or make a class`,
    );
}

const linesOf = (text) => text.split('\n').length;

const isFunction = ({ type }) =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';

/** Shows `look` a node and all below, each with the nodes around it, the outermost first; at `false`, none below it. */
function walk(node, look, around = []) {
  if (node === null || typeof node !== 'object') return;
  const isNode = typeof node.type === 'string';
  if (isNode && look(node, around) === false) return;
  if (isNode) around.push(node);
  for (const value of Object.values(node)) walk(value, look, around);
  if (isNode) around.pop();
}

/** The name of a function: its own, or that of the variable, property or method around it. */
function nameOf(node, around) {
  const named = [node, ...around.toReversed()].map(({ id, key }) => id?.name ?? key?.name);
  return named.find((name) => name !== undefined) ?? 'a function without a name';
}

function standsForClass(node) {
  const { inner, names, variables } = declaredIn(node);
  return returnsFunctions(node, names) || inner.filter((one) => usesOne(one, variables)).length >= SHARING;
}

/**
 * The declarations of a function: its inner functions that have a name or are a property (not those that are only passed on, to
 * `map` or a listener), their names, and the names of its other variables and its parameters.
 */
function declaredIn(node) {
  const inner = [];
  const names = new Set();
  const variables = new Set(namesIn(node.params));
  walk(node.body, (one, around) => {
    const parent = around.at(-1);
    if (one.type === 'VariableDeclarator' && !(one.init && isFunction(one.init)))
      for (const name of namesIn(one.id)) variables.add(name);
    if (!isFunction(one)) return true;
    if (one.type === 'FunctionDeclaration' || parent?.type === 'VariableDeclarator' || parent?.type === 'Property')
      inner.push(one);
    const name = one.id?.name ?? (parent?.type === 'VariableDeclarator' ? parent.id.name : undefined);
    if (name !== undefined) names.add(name);
    return false;
  });
  return { inner, names, variables };
}

/** The names that a pattern declares; it may be a list of parameters. */
function namesIn(pattern) {
  const names = [];
  walk(pattern, (one, around) => {
    if (one.type === 'TSTypeAnnotation' || isFunction(one)) return false;
    if (isName(one, around.at(-1))) names.push(one.name);
  });
  return names;
}

/** Whether it returns an object of which two properties or more are functions, written there or by their names. */
function returnsFunctions(node, names) {
  const isOne = ({ value }) => value && (isFunction(value) || (value.type === 'Identifier' && names.has(value.name)));
  const many = (value) => value?.type === 'ObjectExpression' && value.properties.filter(isOne).length >= 2;
  let found = many(unwrapped(node.body));
  walk(node.body, (one) => {
    if (one.type === 'ReturnStatement' && many(unwrapped(one.argument))) found = true;
    return !isFunction(one);
  });
  return found;
}

/** An expression without brackets, `as` and `satisfies`. */
function unwrapped(node) {
  const wrapped = /^(?:ParenthesizedExpression|TSAsExpression|TSSatisfiesExpression)$/.test(node?.type ?? '');
  return wrapped ? unwrapped(node.expression) : node;
}

function usesOne(node, variables) {
  let found = false;
  walk(node.body, (one, around) => {
    if (isName(one, around.at(-1)) && variables.has(one.name)) found = true;
    return !found;
  });
  return found;
}

/** Whether a node is a variable's name, and not that of a property. */
function isName(node, parent) {
  if (node.type !== 'Identifier') return false;
  if (parent?.type === 'MemberExpression') return parent.property !== node || parent.computed;
  return parent?.type !== 'Property' || parent.value === node || parent.computed;
}
