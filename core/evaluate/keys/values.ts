import { CodeError } from './tokens.ts';

/** Values of a program, and what may be done with them. Each operation is paid for, so that none is free to repeat. */

export type Value = string | number | boolean | null | Value[] | { call: string };

/** Steps done so far in a run; a program with more of them than the limit answers none of our questions. */
export type StepCount = { done: number };
const MOST_WORK = 1_000_000;
const MOST_CHARACTERS = 100_000;

/** A `raise`, or an argument that Python would refuse: the program ends here, with what it pressed before. */
export class Stopped extends Error {}

/** Counts a statement, an expression, an item or a character. Throws `refused` when it is too much of them. */
export function spend(work: StepCount, amount: number, line: number): void {
  work.done += amount;
  if (work.done > MOST_WORK) throw new CodeError('refused', line, 'it does not come to an end');
}

export const isCall = (value: Value): value is { call: string } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function listOf(value: Value, line: number, work: StepCount): Value[] {
  if (isCall(value)) throw new CodeError('refused', line, 'it goes through something that is no list');
  if (typeof value !== 'string' && !Array.isArray(value)) throw new Stopped('TypeError');
  spend(work, value.length, line);
  return typeof value === 'string' ? [...value] : value;
}

export function add(left: Value, right: Value, line: number, work: StepCount): Value {
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  if (typeof left === 'string' && typeof right === 'string') {
    pay(left.length + right.length, line, work);
    return left + right;
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    pay(left.length + right.length, line, work);
    return left.concat(right);
  }
  throw new Stopped('TypeError');
}

export function divide(left: Value, right: Value, whole: boolean): number {
  if (typeof left !== 'number' || typeof right !== 'number') throw new Stopped('TypeError');
  if (right === 0) throw new Stopped('ZeroDivisionError');
  return whole ? Math.floor(left / right) : left / right;
}

export function multiply(left: Value, right: Value, line: number, work: StepCount): Value {
  if (typeof left === 'number' && typeof right === 'number') return left * right;
  const [many, times] = typeof left === 'number' ? [right, left] : [left, right];
  if (typeof times !== 'number' || !Number.isInteger(times)) throw new Stopped('TypeError');
  if (typeof many !== 'string' && !Array.isArray(many)) throw new Stopped('TypeError');
  const count = Math.max(0, times);
  pay(many.length * count, line, work);
  if (typeof many === 'string') return many.repeat(count);
  const list: Value[] = [];
  for (let i = 0; i < count && many.length > 0; i++) for (const one of many) list.push(one);
  return list;
}

export function pythonRange(values: readonly Value[], line: number, work: StepCount): number[] {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length !== values.length || numbers.length === 0 || numbers.length > 3) throw new Stopped('TypeError');
  const [start, end, step] = numbers.length === 1 ? [0, numbers[0]!, 1] : [numbers[0]!, numbers[1]!, numbers[2] ?? 1];
  if (![start, end, step].every(Number.isInteger) || step === 0) throw new Stopped('ValueError');
  const count = Math.max(0, Math.ceil((end - start) / step));
  pay(count, line, work);
  return Array.from({ length: count }, (_, i) => start + i * step);
}

/** Refuses what is too long before it is made. */
function pay(length: number, line: number, work: StepCount): void {
  if (!(length <= MOST_CHARACTERS)) throw new CodeError('refused', line, 'it makes something far too long');
  spend(work, length, line);
}
