import fs from 'node:fs';
import path from 'node:path';
import { MARA } from './mara.ts';
import { ASSETS } from './parts.ts';
import { SPARE_PART } from './spare-part.ts';

/** Writes the day and the pathway that ship into the assets, from where a workspace takes them: `node test/demo/day/write.ts`, then the formatter. */
for (const one of [MARA, SPARE_PART])
  fs.writeFileSync(path.join(ASSETS, `${one.id}.json`), `${JSON.stringify(one, null, 2)}\n`);
