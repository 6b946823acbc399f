import { parseSync } from 'vite';

/**
 * The other files and packages that a source text (TypeScript, JSX or JavaScript, by the file's name) names, read by a
 * parser and in one reading: words that only look like an import, in a text or a comment, are none. Each with what it names
 * (`to`) and where the name stands between its quotes (`start`, `end`, UTF-16 units); names that are made at run time are
 * left out.
 * - `imports`, in their order: every kind of import and what is required by its name, with whether only types cross, and
 *   whether it is loaded only when the line is reached (`lazy`: `import()`).
 * - `beside`: files named beside this one, `new URL('./worker.ts', import.meta.url)`.
 * @throws {Error} with the file and the fault, for a text that cannot be parsed
 */
export function namedIn(file, source) {
  const parsed = parseSync(file, source);
  const { module, errors } = parsed;
  const fault = errors.find(({ severity }) => severity === 'Error');
  if (fault) throw new Error(`${file}: ${fault.message}`);
  return {
    imports: importsOf(module, source, /\bimport\(/.test(source) ? typesNamedIn(parsed.program) : []),
    beside: filesBeside(module, source),
  };
}

/** The names in `import('./a.ts').A`, a type that is written without an import of its own. */
function typesNamedIn(node) {
  if (node === null || typeof node !== 'object') return [];
  if (node.type === 'TSImportType') return [node.source];
  return Object.values(node).flatMap(typesNamedIn);
}

function importsOf(module, source, types) {
  const found = [];
  const add = (request, { typeOnly = false, lazy = false } = {}) => {
    const literal = /^(['"`])(.*)\1$/s.exec(source.slice(request.start, request.end));
    if (!literal || literal[2].includes('${')) return;
    // A name that is imported and exported again is reported twice.
    if (found.some(({ start }) => start === request.start + 1)) return;
    found.push({ to: literal[2], typeOnly, lazy, start: request.start + 1, end: request.end - 1 });
  };
  // `import { type A }` still loads the other file; `import type` does not.
  const typeOnly = ({ start }) => /^(?:import|export)\s+type\b/.test(source.slice(start, start + 60));
  for (const statement of module.staticImports) add(statement.moduleRequest, { typeOnly: typeOnly(statement) });
  for (const statement of module.staticExports) {
    const request = statement.entries.find((entry) => entry.moduleRequest)?.moduleRequest;
    if (request) add(request, { typeOnly: typeOnly(statement) });
  }
  for (const { moduleRequest } of module.dynamicImports) add(moduleRequest, { lazy: true });
  for (const name of types) add(name, { typeOnly: true });
  // Packages that can only be required: `createRequire(import.meta.url)('name')`.
  for (const { end } of module.importMetas) {
    const call = /^\.url\)\((?=(['"])[^'"]+\1\))/.exec(source.slice(end, end + 300));
    if (!call || !/createRequire\(import\.meta$/.test(source.slice(Math.max(0, end - 40), end))) continue;
    const start = end + call[0].length;
    add({ start, end: source.indexOf(')', start) });
  }
  return found.sort((a, b) => a.start - b.start);
}

function filesBeside(module, source) {
  const found = [];
  for (const { start } of module.importMetas) {
    const before = /new URL\(\s*(['"])(\.{1,2}\/?[^'"]*)\1\s*,\s*$/.exec(source.slice(Math.max(0, start - 300), start));
    if (!before) continue;
    const from = start - before[0].length + before[0].indexOf(before[1]) + 1;
    found.push({ to: before[2], start: from, end: from + before[2].length });
  }
  return found;
}
