import { type Argument, type Expression, parseProgram, type Statement } from './parse.ts';
import { CodeError } from './tokens.ts';

/**
 * What a program would press (M10, M11): the tree is walked with the meaning that PyAutoGUI 0.9.54 gives to its calls.
 * Nothing of it is executed; there is no way from here to a file, a process or the network.
 */

type KeyEvent = ['down' | 'up', key: string];
type KeyTrace = {
  /** As handed to the operating system, before unknown keys are dropped. */
  events: KeyEvent[];
  /** What a `raise` or a wrong argument stopped it with; the keys before it were pressed. */
  error: string | null;
};

type Value = string | number | boolean | null | Value[] | { call: string };
type Run = {
  names: Map<string, Value>;
  trace: KeyTrace;
  steps: number;
  mouseCalls: 'ignored' | 'refused';
};

/** A program that presses more than this is no answer to any of our questions. */
const MOST_EVENTS = 20_000;
const MOST_STEPS = 20_000;
const MOST_CHARACTERS = 100_000;

const LIBRARY = 'pyautogui';
const KEYBOARD = ['press', 'hotkey', 'keyDown', 'keyUp', 'write', 'typewrite', 'hold', 'sleep'] as const;
type KeyboardCall = (typeof KEYBOARD)[number];
const MOUSE = new Set(
  `click doubleClick tripleClick rightClick middleClick leftClick moveTo moveRel move dragTo dragRel drag mouseDown
  mouseUp scroll hscroll vscroll`.split(/\s+/),
);
const SETTINGS = new Set(['PAUSE', 'FAILSAFE', 'MINIMUM_DURATION', 'MINIMUM_SLEEP', 'DARWIN_CATCH_UP_TIME']);
/** Without any effect on keys; their arguments are read all the same. */
const HARMLESS = new Set(['print', 'range']);

/** A `raise`, or an argument that Python would refuse: the program ends here, with what it pressed before. */
class Stopped extends Error {}

/** Throws CodeError when it is no program of this language, does anything else, or presses without measure. */
export function traceKeys(source: string, mouseCalls: 'ignored' | 'refused' = 'ignored'): KeyTrace {
  const program = parseProgram(source);
  const run: Run = {
    // Prompts often say that the library is there, so its name is known before an import.
    names: new Map<string, Value>([
      [LIBRARY, { call: LIBRARY }],
      ['time', { call: 'time' }],
    ]),
    trace: { events: [], error: null },
    steps: 0,
    mouseCalls,
  };
  // All of it is looked at before any key is counted: what follows a harmless beginning may do anything.
  checkNames(program, run.mouseCalls);
  try {
    execute(program, run);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    run.trace.error = error.message;
  }
  return run.trace;
}

/** Imports and calls of anything else are refused wherever they stand, reached or not. */
function checkNames(statements: readonly Statement[], mouseCalls: 'ignored' | 'refused'): void {
  for (const statement of statements) {
    if (statement.kind === 'import' || statement.kind === 'from') {
      if (statement.module !== LIBRARY && statement.module !== 'time') {
        throw new CodeError('refused', statement.line, `it imports "${statement.module}"`);
      }
      if (statement.kind === 'from' && statement.names !== '*') {
        for (const [name] of statement.names) checkMember(statement.module, name, statement.line, mouseCalls);
      }
    }
    if ('body' in statement) checkNames(statement.body, mouseCalls);
  }
}

function checkMember(module: string, name: string, line: number, mouseCalls: 'ignored' | 'refused'): void {
  const known = module === 'time' ? name === 'sleep' : isKeyboardCall(name) || SETTINGS.has(name) || MOUSE.has(name);
  if (!known) throw new CodeError('refused', line, `${module}.${name} is no call of the keyboard`);
  if (module === LIBRARY && MOUSE.has(name) && mouseCalls === 'refused') {
    throw new CodeError('refused', line, `${module}.${name} moves the mouse`);
  }
}

function execute(statements: readonly Statement[], run: Run): void {
  for (const statement of statements) {
    if (++run.steps > MOST_STEPS) throw new CodeError('refused', statement.line, 'it does not come to an end');
    executeOne(statement, run);
  }
}

function executeOne(statement: Statement, run: Run): void {
  switch (statement.kind) {
    case 'pass':
      return;
    case 'raise':
      throw new Stopped(statement.error);
    case 'import':
      run.names.set(statement.as, { call: statement.module });
      return;
    case 'from':
      importNames(statement.module, statement.names, run);
      return;
    case 'assign':
      assign(statement.to, evaluate(statement.value, run), statement.line, run);
      return;
    case 'expression':
      evaluate(statement.value, run);
      return;
    case 'for':
      for (const value of listOf(evaluate(statement.over, run), statement.line)) {
        run.names.set(statement.name, value);
        execute(statement.body, run);
      }
      return;
    case 'with':
      executeHold(statement.value, statement.body, statement.line, run);
  }
}

function importNames(module: string, names: [string, string][] | '*', run: Run): void {
  const all = module === 'time' ? ['sleep'] : [...KEYBOARD, ...MOUSE];
  const list = names === '*' ? all.map((name): [string, string] => [name, name]) : names;
  for (const [name, as] of list) run.names.set(as, { call: `${module}.${name}` });
}

function assign(to: Expression, value: Value, line: number, run: Run): void {
  if (to.kind === 'name') {
    run.names.set(to.name, value);
    return;
  }
  const target = to.kind === 'member' && callName(to, run);
  if (!target || !SETTINGS.has(target.slice(LIBRARY.length + 1))) {
    throw new CodeError('refused', line, 'it changes something that is no name of its own');
  }
}

/** `with pyautogui.hold(keys):` presses them, runs the block, and releases them in the same order. */
function executeHold(value: Expression, body: readonly Statement[], line: number, run: Run): void {
  const name = value.kind === 'call' ? callName(value.callee, run) : null;
  if (value.kind !== 'call' || name !== `${LIBRARY}.hold`) {
    throw new CodeError('refused', line, '"with" stands before something else than hold()');
  }
  const { positional, named } = argumentsOf(value.args, run);
  const keys = keyList(positional[0] ?? named.get('keys') ?? missing('hold', 'keys'), line);
  for (const key of keys) emit(run, 'down', key, line);
  try {
    execute(body, run);
  } finally {
    for (const key of keys) emit(run, 'up', key, line);
  }
}

function evaluate(expression: Expression, run: Run): Value {
  switch (expression.kind) {
    case 'value':
      return expression.value;
    case 'list':
      return expression.items.map((item) => evaluate(item, run));
    case 'name': {
      const value = run.names.get(expression.name);
      if (value !== undefined) return value;
      if (HARMLESS.has(expression.name)) return { call: expression.name };
      throw new CodeError('refused', expression.line, `"${expression.name}" is no call of the keyboard`);
    }
    case 'member': {
      const name = callName(expression, run);
      if (name === null) throw new CodeError('refused', expression.line, `.${expression.name} of a value is not read`);
      return { call: name };
    }
    case 'negative': {
      const value = evaluate(expression.of, run);
      if (typeof value !== 'number') throw new Stopped('TypeError');
      return -value;
    }
    case 'sum':
      return sum(evaluate(expression.left, run), evaluate(expression.right, run), expression.line);
    case 'product':
      return product(evaluate(expression.left, run), evaluate(expression.right, run), expression.line);
    case 'call':
      return call(expression, run);
  }
}

/** `pyautogui.press` of a callee, through its aliases; null when it is no member of a module. Throws `refused`. */
function callName(callee: Expression, run: Run): string | null {
  if (callee.kind === 'name') {
    const value = evaluate(callee, run);
    return isCall(value) ? value.call : null;
  }
  if (callee.kind !== 'member') return null;
  const of = evaluate(callee.of, run);
  if (!isCall(of) || of.call.includes('.') || HARMLESS.has(of.call)) return null;
  checkMember(of.call, callee.name, callee.line, run.mouseCalls);
  return `${of.call}.${callee.name}`;
}

function call({ callee, args, line }: Extract<Expression, { kind: 'call' }>, run: Run): Value {
  const name = callName(callee, run);
  if (name === null) throw new CodeError('refused', line, 'it calls something that is no call of the keyboard');
  const { positional, named } = argumentsOf(args, run);
  if (name === 'print') return null;
  if (name === 'range') return range(positional, line);
  const member = name.slice(name.indexOf('.') + 1);
  if (name.startsWith('time.') || MOUSE.has(member)) return null;
  if (!isKeyboardCall(member)) throw new CodeError('refused', line, `${name} is no call of the keyboard`);
  press(member, positional, named, line, run);
  return null;
}

function press(name: KeyboardCall, list: Value[], named: Map<string, Value>, line: number, run: Run): void {
  const first = (...names: string[]): Value => {
    const value = list[0] ?? names.map((one) => named.get(one)).find((one) => one !== undefined);
    return value ?? missing(name, names[0]!);
  };
  switch (name) {
    case 'sleep':
      return;
    case 'hold':
      throw new Stopped('TypeError'); // Without `with`, Python makes the context and never enters it.
    case 'press': {
      const keys = keyList(first('keys', 'key'), line);
      const presses = list[1] ?? named.get('presses') ?? 1;
      if (typeof presses !== 'number' || !Number.isInteger(presses)) throw new Stopped('TypeError');
      for (let i = 0; i < presses && keys.length > 0; i++) for (const key of keys) tap(run, key, line);
      return;
    }
    case 'write':
    case 'typewrite': {
      const message = first('message');
      const keys = typeof message === 'string' ? [...message] : listOf(message, line).map(keyName);
      for (const key of keys) tap(run, key, line);
      return;
    }
    case 'keyDown':
      emit(run, 'down', keyName(first('key')), line);
      return;
    case 'keyUp':
      emit(run, 'up', keyName(first('key')), line);
      return;
    case 'hotkey': {
      const keys = (list.length === 1 && Array.isArray(list[0]) ? list[0] : list).map(keyName);
      for (const key of keys) emit(run, 'down', key, line);
      for (const key of keys.toReversed()) emit(run, 'up', key, line);
    }
  }
}

function argumentsOf(args: readonly Argument[], run: Run): { positional: Value[]; named: Map<string, Value> } {
  const positional: Value[] = [];
  const named = new Map<string, Value>();
  for (const { name, spread, value } of args) {
    const read = evaluate(value, run);
    if (name !== null) named.set(name, read);
    else if (spread) positional.push(...(Array.isArray(read) ? read : [...String(read)]));
    else positional.push(read);
  }
  return { positional, named };
}

function tap(run: Run, key: string, line: number): void {
  emit(run, 'down', key, line);
  emit(run, 'up', key, line);
}

function emit(run: Run, what: 'down' | 'up', key: string, line: number): void {
  if (run.trace.events.length >= MOST_EVENTS) throw new CodeError('refused', line, 'it presses more than 10,000 keys');
  run.trace.events.push([what, key]);
}

const isCall = (value: Value): value is { call: string } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isKeyboardCall = (name: string): name is KeyboardCall => KEYBOARD.some((one) => one === name);

function missing(call: string, argument: string): never {
  throw new Stopped(`TypeError: ${call}() lacks ${argument}`);
}

/** Names longer than one letter are lowered, as the library does. */
function keyName(value: Value): string {
  if (typeof value !== 'string') throw new Stopped('TypeError');
  return value.length > 1 ? value.toLowerCase() : value;
}

function keyList(value: Value, line: number): string[] {
  return typeof value === 'string' ? [keyName(value)] : listOf(value, line).map(keyName);
}

function listOf(value: Value, line: number): Value[] {
  if (typeof value === 'string') return [...value];
  if (Array.isArray(value)) return value;
  if (isCall(value)) throw new CodeError('refused', line, 'it goes through something that is no list');
  throw new Stopped('TypeError');
}

function sum(left: Value, right: Value, line: number): Value {
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  if (typeof left === 'string' && typeof right === 'string')
    return limited(left.length + right.length, line, left + right);
  if (Array.isArray(left) && Array.isArray(right))
    return limited(left.length + right.length, line, [...left, ...right]);
  throw new Stopped('TypeError');
}

function product(left: Value, right: Value, line: number): Value {
  if (typeof left === 'number' && typeof right === 'number') return left * right;
  const [many, times] = typeof left === 'number' ? [right, left] : [left, right];
  if (typeof times !== 'number' || !Number.isInteger(times)) throw new Stopped('TypeError');
  const count = Math.max(0, times);
  if (typeof many === 'string') {
    limited(many.length * count, line, null);
    return many.repeat(count);
  }
  if (Array.isArray(many)) {
    limited(many.length * count, line, null);
    return Array.from({ length: count }, () => many).flat(1);
  }
  throw new Stopped('TypeError');
}

function limited<T>(length: number, line: number, value: T): T {
  if (length > MOST_CHARACTERS) throw new CodeError('refused', line, 'it makes something far too long');
  return value;
}

function range(values: Value[], line: number): number[] {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length !== values.length || numbers.length === 0 || numbers.length > 3) throw new Stopped('TypeError');
  const [start, end, step] = numbers.length === 1 ? [0, numbers[0]!, 1] : [numbers[0]!, numbers[1]!, numbers[2] ?? 1];
  if (![start, end, step].every(Number.isInteger) || step === 0) throw new Stopped('ValueError');
  const count = Math.max(0, Math.ceil((end - start) / step));
  limited(count, line, null);
  return Array.from({ length: count }, (_, i) => start + i * step);
}
