import { type Act, MOST_ACTS, mouseAct, waitAct } from './acts.ts';
import { constantOf, fateOf, isKeyboardCall, isMouseCall, type KeyboardCall, SETTINGS, STAR_NAMES } from './library.ts';
import { type Gesture, moveMouse, noPointer, type PythonPointer } from './mouse.ts';
import { type Expression, type ParsedArgument, parseProgram, type Statement } from './parse.ts';
import { CodeError } from './tokens.ts';
import {
  add,
  divide,
  isCall,
  listOf,
  multiply,
  pythonRange,
  type StepCount,
  Stopped,
  spend,
  type Value,
} from './values.ts';

/**
 * Finds the keys and clicks of a program (M7, M10, M11): the tree is walked with the meaning that PyAutoGUI 0.9.54 gives to
 * its calls. Nothing of it is executed; there is no way from here to a file, a process or the network.
 */

type KeyEvent = ['down' | 'up', key: string];
type KeyTrace = {
  /** As handed to the operating system, before unknown keys are dropped. */
  events: KeyEvent[];
  /** The error of the `raise` or wrong argument that stopped it; the keys before it were pressed. */
  error: string | null;
};
/** `acts`: keys and mouse in their order, at most MOST_ACTS of them. */
type Trace = KeyTrace & { gestures: Gesture[]; acts: Act[] };

type Choices = {
  mouseCalls: 'ignored' | 'refused';
  /** The screen that `size()` gives; null: it is not known, and a program that asks is refused. */
  screen: readonly [width: number, height: number] | null;
  /** A program that clicks on a picture, which the library would look for on the screen, is refused. */
  pictures?: 'refused';
};
type Run = Choices & {
  names: Map<string, Value>;
  trace: KeyTrace;
  pointer: PythonPointer;
  acts: Act[];
  work: StepCount;
};

/** A program that presses more than this is no answer to any of our questions. */
const MOST_EVENTS = 20_000;
/** Walking a tree costs more than an item of a list does. */
const STATEMENT_WORK = 25;

const LIBRARY = 'pyautogui';
/** Without any effect on keys; their arguments are read all the same. */
const BUILTINS = new Set(['print', 'range', 'int', 'round']);

/** Throws CodeError when it is no program of this language, does anything else, or presses without measure. */
export function traceKeys(source: string, mouseCalls: 'ignored' | 'refused' = 'ignored'): KeyTrace {
  const { events, error } = traceProgram(source, { mouseCalls, screen: null });
  return { events, error };
}

/** Keys and gestures of the mouse. Throws as `traceKeys`. */
export function traceProgram(source: string, choices: Choices): Trace {
  const program = parseProgram(source);
  const run: Run = {
    ...choices,
    // Prompts often say that the library is there, so its name is known before an import.
    names: new Map<string, Value>([
      [LIBRARY, { call: LIBRARY }],
      ['time', { call: 'time' }],
    ]),
    trace: { events: [], error: null },
    pointer: noPointer(),
    acts: [],
    work: { done: 0 },
  };
  // All of it is looked at before any key is counted: what follows a harmless beginning may do anything.
  checkNames(program, run.mouseCalls);
  try {
    execute(program, run);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    run.trace.error = error.message;
  }
  return { ...run.trace, gestures: run.pointer.gestures, acts: run.acts };
}

/** Imports and calls of anything else are refused wherever they stand, reached or not. */
function checkNames(statements: readonly Statement[], mouseCalls: Choices['mouseCalls']): void {
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

function checkMember(module: string, name: string, line: number, mouseCalls: Choices['mouseCalls']): void {
  const known = module === 'time' ? name === 'sleep' : fateOf(name) !== 'refused' || SETTINGS.has(name);
  if (!known) throw new CodeError('refused', line, `${module}.${name} is no call of the keyboard`);
  if (module === LIBRARY && isMouseCall(name) && mouseCalls === 'refused') {
    throw new CodeError('refused', line, `${module}.${name} moves the mouse`);
  }
}

function execute(statements: readonly Statement[], run: Run): void {
  for (const statement of statements) {
    spend(run.work, STATEMENT_WORK, statement.line);
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
      for (const value of listOf(evaluate(statement.over, run), statement.line, run.work)) {
        run.names.set(statement.name, value);
        execute(statement.body, run);
      }
      return;
    case 'with':
      executeHold(statement.value, statement.body, statement.line, run);
  }
}

function importNames(module: string, names: [string, string][] | '*', run: Run): void {
  const all = module === 'time' ? ['sleep'] : STAR_NAMES;
  const list = names === '*' ? all.map((name): [string, string] => [name, name]) : names;
  for (const [name, as] of list) run.names.set(as, constantOf(name) ?? { call: `${module}.${name}` });
}

function assign(to: Expression, value: Value, line: number, run: Run): void {
  if (to.kind === 'name') {
    run.names.set(to.name, value);
    return;
  }
  if (to.kind === 'list') {
    const values = listOf(value, line, run.work);
    if (values.length !== to.items.length) throw new Stopped('ValueError');
    for (const [i, item] of to.items.entries()) assign(item, values[i]!, line, run);
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
  const { positional, named } = argumentsOf(value.args, line, run);
  const keys = keyList(positional[0] ?? named.get('keys') ?? missing('hold', 'keys'), line, run);
  for (const key of keys) emit(run, 'down', key, line);
  try {
    execute(body, run);
  } finally {
    for (const key of keys) emit(run, 'up', key, line);
  }
}

function evaluate(expression: Expression, run: Run): Value {
  const line = 'line' in expression ? expression.line : 1;
  spend(run.work, 1, line);
  switch (expression.kind) {
    case 'value':
      return expression.value;
    case 'list':
      return expression.items.map((item) => evaluate(item, run));
    case 'name': {
      const value = run.names.get(expression.name);
      if (value !== undefined) return value;
      if (BUILTINS.has(expression.name)) return { call: expression.name };
      throw new CodeError('refused', line, `"${expression.name}" is no call of the keyboard`);
    }
    case 'member': {
      const name = callName(expression, run);
      if (name === null) throw new CodeError('refused', line, `.${expression.name} of a value is not read`);
      return constantOf(expression.name) ?? { call: name };
    }
    case 'negative': {
      const value = evaluate(expression.of, run);
      if (typeof value !== 'number') throw new Stopped('TypeError');
      return -value;
    }
    case 'sum':
      return expression.terms
        .slice(1)
        .reduce<Value>(
          (left, term) => add(left, evaluate(term, run), line, run.work),
          evaluate(expression.terms[0]!, run),
        );
    case 'product':
      return expression.more.reduce<Value>(
        (left, { sign, value }) => {
          const right = evaluate(value, run);
          return sign === '*' ? multiply(left, right, line, run.work) : divide(left, right, sign === '//');
        },
        evaluate(expression.first, run),
      );
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
  if (!isCall(of) || of.call.includes('.') || BUILTINS.has(of.call)) return null;
  checkMember(of.call, callee.name, callee.line, run.mouseCalls);
  return `${of.call}.${callee.name}`;
}

function call({ callee, args, line }: Extract<Expression, { kind: 'call' }>, run: Run): Value {
  const name = callName(callee, run);
  if (name === null) throw new CodeError('refused', line, 'it calls something that is no call of the keyboard');
  const { positional, named } = argumentsOf(args, line, run);
  const member = name.slice(name.indexOf('.') + 1);
  if (BUILTINS.has(name)) return builtin(name, positional, line, run);
  if (name.startsWith('time.') || member === 'sleep') note(run, waitAct(positional[0] ?? named.get('seconds')));
  if (name.startsWith('time.') || fateOf(member) === 'silent') return null;
  if (isMouseCall(member)) {
    const before = run.pointer.at;
    if (run.pictures === 'refused' && typeof (positional[0] ?? named.get('x')) === 'string')
      throw new CodeError('refused', line, `${name} looks for a picture on the screen`);
    moveMouse(member, positional, named, run.pointer);
    note(run, mouseAct(member, positional, named, before, run.pointer.at));
    return null;
  }
  if (member === 'size' || member === 'resolution' || member === 'position') return screenValue(member, line, run);
  if (!isKeyboardCall(member)) throw new CodeError('refused', line, `${name} is no call of the keyboard`);
  press(member, positional, named, line, run);
  return null;
}

function builtin(name: string, positional: readonly Value[], line: number, run: Run): Value {
  if (name === 'print') return null;
  if (name === 'range') return pythonRange(positional, line, run.work);
  const [value] = positional;
  if (typeof value !== 'number') throw new Stopped('TypeError');
  return name === 'int' ? Math.trunc(value) : Math.round(value);
}

function screenValue(call: 'size' | 'resolution' | 'position', line: number, run: Run): Value {
  const value = call === 'position' ? run.pointer.at : run.screen;
  if (value === null) throw new CodeError('refused', line, `${LIBRARY}.${call} asks for a screen that is not there`);
  return [...value];
}

function press(name: KeyboardCall, list: Value[], named: ReadonlyMap<string, Value>, line: number, run: Run): void {
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
      const keys = keyList(first('keys', 'key'), line, run);
      const presses = list[1] ?? named.get('presses') ?? 1;
      if (typeof presses !== 'number' || !Number.isInteger(presses)) throw new Stopped('TypeError');
      for (let i = 0; i < presses && keys.length > 0; i++) for (const key of keys) tap(run, key, line);
      return;
    }
    case 'write':
    case 'typewrite': {
      const message = first('message');
      const keys = listOf(message, line, run.work);
      for (const key of typeof message === 'string' ? keys : keys.map(keyName)) tap(run, String(key), line);
      return;
    }
    case 'keyDown':
      emit(run, 'down', keyName(first('key')), line);
      return;
    case 'keyUp':
      emit(run, 'up', keyName(first('key')), line);
      return;
    case 'hotkey':
    case 'shortcut': {
      // The library has no `keys`, but models and AgentNetBench's files write it, and what they mean is plain.
      const given = named.get('keys');
      const all = list.length === 0 && given !== undefined ? [given] : list;
      const keys = all.length === 1 && Array.isArray(all[0]) ? keyList(all[0], line, run) : all.map(keyName);
      for (const key of keys) emit(run, 'down', key, line);
      for (const key of keys.toReversed()) emit(run, 'up', key, line);
    }
  }
}

function argumentsOf(
  args: readonly ParsedArgument[],
  line: number,
  run: Run,
): { positional: Value[]; named: Map<string, Value> } {
  const positional: Value[] = [];
  const named = new Map<string, Value>();
  for (const { name, spread, value } of args) {
    const read = evaluate(value, run);
    if (name !== null) named.set(name, read);
    else if (spread) for (const one of listOf(read, line, run.work)) positional.push(one);
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
  note(run, { do: 'key', key, down: what === 'down' });
}

function note({ acts }: Run, act: Act | null): void {
  if (act && acts.length < MOST_ACTS) acts.push(act);
}

function missing(call: string, argument: string): never {
  throw new Stopped(`TypeError: ${call}() lacks ${argument}`);
}

/** Names longer than one letter are lowered, as the library does. */
function keyName(value: Value): string {
  if (typeof value !== 'string') throw new Stopped('TypeError');
  return value.length > 1 ? value.toLowerCase() : value;
}

function keyList(value: Value, line: number, run: Run): string[] {
  return typeof value === 'string' ? [keyName(value)] : listOf(value, line, run.work).map(keyName);
}
