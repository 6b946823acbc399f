import { append } from '../../lists.ts';
import { CodeError, type Token, tokenize } from './tokens.ts';

/** The small language of calls as a tree (M10): recursive descent over Python's tokens. */

export type Expression =
  | { kind: 'value'; value: string | number | boolean | null }
  | { kind: 'list'; items: Expression[] }
  | { kind: 'name'; name: string; line: number }
  | { kind: 'member'; of: Expression; name: string; line: number }
  | { kind: 'call'; callee: Expression; args: ParsedArgument[]; line: number }
  /** One list for a whole chain: a tree of pairs would be as deep as the program is long. */
  | { kind: 'sum'; terms: Expression[]; line: number }
  | { kind: 'product'; first: Expression; more: Factor[]; line: number }
  | { kind: 'negative'; of: Expression; line: number };

export type Factor = { sign: '*' | '/' | '//'; value: Expression };
export type ParsedArgument = { name: string | null; spread: boolean; value: Expression };

export type Statement =
  | { kind: 'expression'; value: Expression; line: number }
  | { kind: 'import'; module: string; as: string; line: number }
  | { kind: 'from'; module: string; names: [name: string, as: string][] | '*'; line: number }
  | { kind: 'assign'; to: Expression; value: Expression; line: number }
  | { kind: 'for'; name: string; over: Expression; body: Statement[]; line: number }
  | { kind: 'with'; value: Expression; body: Statement[]; line: number }
  | { kind: 'raise'; error: string; line: number }
  | { kind: 'pass'; line: number };

/** So many brackets within brackets, and so many members and calls behind one name: more is no program of ours. */
const MOST_NESTED = 60;
const MOST_LINKS = 20;

type Reader = { tokens: Token[]; at: number; depth: number };

/** Parts of Python that this language lacks: named, so that the report says what the program tried. */
const REFUSED_WORDS = new Set(
  'while if elif else def class lambda try except finally return yield async await global nonlocal del assert match'.split(
    ' ',
  ),
);

/** Throws CodeError. */
export function parseProgram(source: string): Statement[] {
  const reader: Reader = { tokens: tokenize(source), at: 0, depth: 0 };
  const statements: Statement[] = [];
  while (peek(reader).kind !== 'end') append(statements, statementLine(reader));
  return statements;
}

const peek = ({ tokens, at }: Reader): Token => tokens[at]!; // The last is `end`, which nothing steps over.
const isSign = (reader: Reader, text: string): boolean => peek(reader).kind === 'sign' && peek(reader).text === text;
const isWord = (reader: Reader, text: string): boolean => peek(reader).kind === 'name' && peek(reader).text === text;

function next(reader: Reader): Token {
  const token = peek(reader);
  if (token.kind !== 'end') reader.at++;
  return token;
}

function take(reader: Reader, text: string): boolean {
  if (!isSign(reader, text) && !isWord(reader, text)) return false;
  reader.at++;
  return true;
}

function expectSign(reader: Reader, text: string): void {
  if (!take(reader, text)) throw unexpected(reader, `"${text}"`);
}

function unexpected(reader: Reader, wanted: string): CodeError {
  const { kind, text, line } = peek(reader);
  const found = text === '' ? `the ${kind === 'end' ? 'end' : kind === 'newline' ? "line's end" : kind}` : `"${text}"`;
  return new CodeError('unreadable', line, `${wanted} was expected, not ${found}`);
}

/** The statements of one line (`a(); b()`), or one that has a block. */
function statementLine(reader: Reader): Statement[] {
  if (peek(reader).kind === 'newline') {
    reader.at++;
    return [];
  }
  if (peek(reader).kind === 'indent')
    throw new CodeError('unreadable', peek(reader).line, 'a line is indented too far');
  if (isWord(reader, 'for') || isWord(reader, 'with')) return [block(reader)];
  const statements = [simple(reader)];
  while (take(reader, ';')) {
    if (peek(reader).kind === 'newline') break;
    statements.push(simple(reader));
  }
  if (peek(reader).kind !== 'newline') throw unexpected(reader, "the line's end");
  reader.at++;
  return statements;
}

function block(reader: Reader): Statement {
  const { text, line } = next(reader);
  if (text === 'for') {
    const name = identifier(reader);
    if (!take(reader, 'in')) throw unexpected(reader, '"in"');
    return { kind: 'for', name, over: expression(reader), body: body(reader), line };
  }
  const value = expression(reader);
  if (take(reader, 'as')) identifier(reader);
  return { kind: 'with', value, body: body(reader), line };
}

function body(reader: Reader): Statement[] {
  expectSign(reader, ':');
  if (peek(reader).kind !== 'newline') {
    // Python refuses them too; blocks on one line could also be nested without end.
    if (isWord(reader, 'for') || isWord(reader, 'with')) throw unexpected(reader, 'a simple statement');
    return statementLine(reader);
  }
  reader.at++;
  if (peek(reader).kind !== 'indent') throw unexpected(reader, 'an indented block');
  reader.at++;
  const statements: Statement[] = [];
  while (peek(reader).kind !== 'dedent' && peek(reader).kind !== 'end') append(statements, statementLine(reader));
  if (peek(reader).kind === 'dedent') reader.at++;
  return statements;
}

function simple(reader: Reader): Statement {
  const { line, kind, text } = peek(reader);
  if (kind === 'name' && REFUSED_WORDS.has(text)) {
    throw new CodeError('refused', line, `"${text}" is no call of the keyboard and is not run`);
  }
  if (take(reader, 'pass')) return { kind: 'pass', line };
  if (take(reader, 'import')) {
    const module = dotted(reader);
    return { kind: 'import', module, as: take(reader, 'as') ? identifier(reader) : module, line };
  }
  if (take(reader, 'from')) return fromImport(reader, line);
  if (take(reader, 'raise')) {
    const error = peek(reader).kind === 'name' ? dotted(reader) : 'error';
    if (isSign(reader, '(')) args(reader);
    return { kind: 'raise', error, line };
  }
  const value = expressions(reader);
  if (take(reader, '=')) return { kind: 'assign', to: value, value: expressions(reader), line };
  return { kind: 'expression', value, line };
}

/** One, or several with commas, which are a tuple: `x, y = 10, 20`. */
function expressions(reader: Reader): Expression {
  const first = expression(reader);
  if (!isSign(reader, ',')) return first;
  const items = [first];
  while (take(reader, ',')) {
    if (isSign(reader, '=') || isSign(reader, ';') || peek(reader).kind === 'newline') break;
    items.push(expression(reader));
  }
  return { kind: 'list', items };
}

function fromImport(reader: Reader, line: number): Statement {
  const module = dotted(reader);
  if (!take(reader, 'import')) throw unexpected(reader, '"import"');
  if (take(reader, '*')) return { kind: 'from', module, names: '*', line };
  const bracket = take(reader, '(');
  const names: [string, string][] = [];
  do {
    if (bracket && isSign(reader, ')')) break;
    const name = identifier(reader);
    names.push([name, take(reader, 'as') ? identifier(reader) : name]);
  } while (take(reader, ','));
  if (bracket) expectSign(reader, ')');
  return { kind: 'from', module, names, line };
}

function dotted(reader: Reader): string {
  let name = identifier(reader);
  while (take(reader, '.')) name += `.${identifier(reader)}`;
  return name;
}

function identifier(reader: Reader): string {
  if (peek(reader).kind !== 'name') throw unexpected(reader, 'a name');
  return next(reader).text;
}

function expression(reader: Reader): Expression {
  const { line } = peek(reader);
  if (++reader.depth > MOST_NESTED) throw new CodeError('refused', line, 'it is nested too deeply');
  const terms = [product(reader)];
  while (isSign(reader, '+') || isSign(reader, '-')) {
    const sign = next(reader);
    const right = product(reader);
    terms.push(sign.text === '+' ? right : { kind: 'negative', of: right, line: sign.line });
  }
  reader.depth--;
  return terms.length === 1 ? terms[0]! : { kind: 'sum', terms, line };
}

const FACTOR_SIGNS = ['*', '/', '//'] as const;

function product(reader: Reader): Expression {
  const { line } = peek(reader);
  const first = unary(reader);
  const more: Factor[] = [];
  for (;;) {
    const sign = FACTOR_SIGNS.find((one) => isSign(reader, one));
    if (!sign) return more.length === 0 ? first : { kind: 'product', first, more, line };
    reader.at++;
    more.push({ sign, value: unary(reader) });
  }
}

function unary(reader: Reader): Expression {
  const { line } = peek(reader);
  let negative = false;
  while (isSign(reader, '-') || isSign(reader, '+')) if (next(reader).text === '-') negative = !negative;
  const value = postfix(reader);
  return negative ? { kind: 'negative', of: value, line } : value;
}

function postfix(reader: Reader): Expression {
  let value = atom(reader);
  for (let links = 0; ; links++) {
    const { line } = peek(reader);
    if (links > MOST_LINKS) throw new CodeError('refused', line, 'it is nested too deeply');
    if (take(reader, '.')) value = { kind: 'member', of: value, name: identifier(reader), line };
    else if (isSign(reader, '(')) value = { kind: 'call', callee: value, args: args(reader), line };
    else if (isSign(reader, '[')) throw new CodeError('refused', line, 'it reaches into a value by an index');
    else return value;
  }
}

function args(reader: Reader): ParsedArgument[] {
  expectSign(reader, '(');
  const list: ParsedArgument[] = [];
  while (!take(reader, ')')) {
    const spread = take(reader, '*');
    const named = !spread && peek(reader).kind === 'name' && reader.tokens[reader.at + 1]?.text === '=';
    const name = named && reader.tokens[reader.at + 1]?.kind === 'sign' ? identifier(reader) : null;
    if (name !== null) reader.at++;
    list.push({ name, spread, value: expression(reader) });
    if (!isSign(reader, ')')) expectSign(reader, ',');
  }
  return list;
}

const CONSTANTS = new Map<string, boolean | null>([
  ['True', true],
  ['False', false],
  ['None', null],
]);

function atom(reader: Reader): Expression {
  const { kind, text, line } = peek(reader);
  if (kind === 'string') {
    let value = '';
    // Strings side by side are one, as in Python.
    while (peek(reader).kind === 'string') value += next(reader).text;
    return { kind: 'value', value };
  }
  if (kind === 'number') {
    reader.at++;
    return { kind: 'value', value: Number(text) };
  }
  if (kind === 'name') {
    if (REFUSED_WORDS.has(text))
      throw new CodeError('refused', line, `"${text}" is no call of the keyboard and is not run`);
    reader.at++;
    const constant = CONSTANTS.get(text);
    return constant === undefined ? { kind: 'name', name: text, line } : { kind: 'value', value: constant };
  }
  if (take(reader, '[')) return { kind: 'list', items: items(reader, ']').list };
  if (take(reader, '(')) {
    const { list, comma } = items(reader, ')');
    return list.length === 1 && !comma ? list[0]! : { kind: 'list', items: list };
  }
  throw unexpected(reader, 'a value');
}

function items(reader: Reader, end: string): { list: Expression[]; comma: boolean } {
  const list: Expression[] = [];
  let comma = false;
  while (!take(reader, end)) {
    list.push(expression(reader));
    if (isSign(reader, end)) continue;
    expectSign(reader, ',');
    comma = true;
  }
  return { list, comma };
}
