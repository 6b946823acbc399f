import { isContractProcedure } from '@orpc/contract';
import { z } from 'zod';
import { ABOUT_A_PERSON, FILE_RIGHTS, type Needed, rightOfInput, rightOfRoute } from '../../core/team/rights.ts';
import { contract } from '../../schemas/api/contract.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Principal, SignedIn } from './members/principal.ts';

/**
 * What a principal may call. The account of a machine of one's own may everything and says as whom it works; a member of a
 * team may what their role and their token give, and works as themselves.
 */

/** Throws FORBIDDEN. Stands before every procedure, and once more where one calls another (begin-again.ts). */
export function refuseCall(principal: Principal, name: string, input: unknown): void {
  if (principal.kind === 'account') return;
  refuse(principal, rightOfRoute(name), name);
  const further = rightOfInput(name, input);
  if (further !== null) refuse(principal, further, name);
  // `ownInput` has put it there; a call that came another way is not let through with somebody else's name.
  const person = personNamed(input);
  if (person !== undefined && person !== principal.id && !ABOUT_A_PERSON.has(name))
    throw anothersName(principal, person);
}

/** The same for a plain route below /files. */
export function refuseFile(principal: Principal, method: string, kind: string): void {
  if (principal.kind === 'account') return;
  const isRead = method === 'GET' || method === 'HEAD';
  const name = isRead ? kind : `${method} ${kind}`;
  refuse(principal, Object.hasOwn(FILE_RIGHTS, name) ? FILE_RIGHTS[name]! : 'nobody', `/files ${name}`);
}

function refuse({ rights, role, by }: SignedIn, needed: Needed, name: string): void {
  if (needed !== 'nobody' && rights.has(needed)) return;
  const why =
    needed === 'nobody'
      ? 'It is about the machine that the server runs on; its administrator does it there.'
      : by.kind === 'token'
        ? `It wants the right "${needed}", which this token or its member does not have.`
        : `It wants the right "${needed}", which your role (${role}) does not give. An owner or manager of the workspace can change your role.`;
  throw new StudioError('FORBIDDEN', `You may not do this (${name}). ${why}`, { needed, role });
}

/**
 * The input of a member's call with the member as its person, wherever the call asks who calls. Naming oneself is fine; throws
 * FORBIDDEN for anybody else.
 */
export function ownInput(principal: Principal, name: string, input: unknown): unknown {
  if (principal.kind === 'account' || !takesPerson(name) || ABOUT_A_PERSON.has(name)) return input;
  if (input !== undefined && (typeof input !== 'object' || input === null)) return input;
  const person = personNamed(input);
  if (person !== undefined) ownPerson(principal, person);
  return { ...input, person: principal.id };
}

/** The person of a plain route: the member who calls, or as the call says. Throws FORBIDDEN. */
export function ownPerson(principal: Principal, said: string | undefined): string | undefined {
  if (principal.kind === 'account') return said;
  const names = ['me', principal.id, principal.name, principal.email];
  if (said === undefined || names.includes(said)) return principal.id;
  throw anothersName(principal, said);
}

const anothersName = ({ name }: SignedIn, said: string): StudioError =>
  new StudioError(
    'FORBIDDEN',
    `You are signed in as ${name}; nobody works as "${said.slice(0, 100)}" but themselves.`,
    {},
  );

/** Whether the contract's input of a procedure has a field that says who calls. */
function takesPerson(name: string): boolean {
  const [room = '', call = ''] = name.split('.');
  const calls: unknown = Object.hasOwn(contract, room) ? Reflect.get(contract, room) : null;
  const procedure: unknown =
    typeof calls === 'object' && calls !== null && Object.hasOwn(calls, call) ? Reflect.get(calls, call) : null;
  if (!isContractProcedure(procedure)) return false;
  const { inputSchema } = procedure['~orpc'];
  return inputSchema instanceof z.ZodObject && 'person' in inputSchema.shape;
}

function personNamed(input: unknown): string | undefined {
  const person: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, 'person') : undefined;
  // Null: a call that leaves it open who it was (recorder.start).
  return person === undefined || person === null ? undefined : String(person);
}
