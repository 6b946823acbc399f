import { errorBody } from '../../../schemas/errors.ts';
import { tellParent } from '../../files/tell-parent.ts';
import { validateExport } from '../validate.ts';
import type { FromValidator, ValidateOrder } from './apart.ts';

/** The process that reads an export back for apart.ts, which ends it. */

const tell = (answer: FromValidator): Promise<void> => tellParent(answer);

process.once('disconnect', () => process.exit(1));
process.once('message', async ({ format, dir }: ValidateOrder) => {
  try {
    await tell({ found: await validateExport(format, dir) });
  } catch (error) {
    await tell({ error: errorBody(error) });
  }
});
