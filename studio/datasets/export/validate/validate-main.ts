import type { FormatName } from '../../../../core/export/formats.ts';
import { serveCalls } from '../../../../native/process/serve.ts';
import { type Validation, validateExport } from '../validate.ts';

/** The process that reads an export back for apart.ts, which ends it. */
const calls = {
  validate: ({ format, dir }: { format: FormatName; dir: string }): Promise<Validation> => validateExport(format, dir),
};
export type ValidateCalls = typeof calls;
serveCalls(calls);
