import { askForElements } from '../../../native/index.ts';
import { hearParent } from '../../../native/process/serve.ts';

/** A process that says on the stage's session bus that elements are asked for: of its own, since the bus may never answer. */

const TRIES = 50;
const AGAIN_MS = 100;

hearParent(
  (_message): _message is never => false,
  () => undefined,
);
let why: unknown = null;
for (let n = 0; n < TRIES; n++) {
  try {
    await askForElements(process.env.DBUS_SESSION_BUS_ADDRESS ?? '');
    process.exit(0);
  } catch (error) {
    why = error; // The bus may be starting still.
  }
  await new Promise((done) => setTimeout(done, AGAIN_MS));
}
process.stderr.write(why instanceof Error ? why.message : String(why));
process.exit(1);
