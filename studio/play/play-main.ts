import { tellParent } from '../../native/process/serve.ts';
import { serveDisplay } from './display-process.ts';
import { perform } from './perform.ts';
import type { PlayOrder } from './protocol.ts';

/** The process that plays, on the display of its environment. */
serveDisplay<PlayOrder>((order, signal) => perform(order, tellParent, signal));
