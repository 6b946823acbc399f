import { type AnyContractRouter, type AnySchema, ContractProcedure, isContractProcedure } from '@orpc/contract';
import { z } from 'zod';
import { checkSlowly } from '../store/check-slowly.ts';
import { PassedOn } from './write-slowly.ts';

/** The contract, with others let in while a large question or answer is checked. */
export function checkedContract<T extends AnyContractRouter>(contract: T): T {
  const parts = isContractProcedure(contract)
    ? slowProcedure(contract['~orpc'])
    : Object.fromEntries(Object.entries(contract).map(([name, part]) => [name, checkedContract(part)]));
  return parts as T; // Each part is one of the same kind.
}

function slowProcedure(about: ContractProcedure<AnySchema, AnySchema, object, object>['~orpc']): object {
  const { inputSchema, outputSchema, ...rest } = about;
  return new ContractProcedure({
    ...rest,
    ...(inputSchema && { inputSchema: slow(inputSchema) }),
    ...(outputSchema && { outputSchema: slow(outputSchema) }),
  });
}

/** Streams are left as they are: each of their events is checked by itself. */
function slow(schema: AnySchema): AnySchema {
  if (!(schema instanceof z.ZodType)) return schema;
  const validate = async (value: unknown) => {
    if (value instanceof PassedOn) return { value };
    const { success, data, error } = await checkSlowly(schema, value);
    return success ? { value: data } : { issues: error.issues };
  };
  return { '~standard': { version: 1, vendor: 'zod', validate } };
}
