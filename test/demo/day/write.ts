import fs from 'node:fs';
import path from 'node:path';
import { MARA } from './mara.ts';
import { ASSETS } from './parts.ts';

/** Writes the day that ships into the assets, from where a workspace takes it: `node test/demo/day/write.ts`. */
fs.writeFileSync(path.join(ASSETS, `${MARA.id}.json`), `${JSON.stringify(MARA, null, 2)}\n`);
