import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn } from '../ui/keys/commands.ts';

/** Stop, pause and mark are heard by the recorder itself, in every application: the page gives them no keys of its own. */
const define = commandsIn('record');

export const commands: readonly CommandDefinition[] = [
  define('start', tr('Start recording'), ['Mod+Enter'], { inFields: true }),
  define('check', tr('Check the machine again'), ['C'], 'preflight doctor'),
  define('display', tr('Record a display'), ['D']),
  define('region', tr('Record a region'), ['G']),
  define('window', tr('Record a window'), ['W']),
  define('elements', tr('Record the element at each press, or not'), ['E'], 'accessibility names passwords'),
  define('element-names', tr('Record the names of elements, or not'), ['N'], 'accessibility privacy'),
  define('accept', tr('Accept that only X11 programs are heard'), ['A'], 'wayland'),
  define('cancel', tr('Cancel the countdown'), ['Escape']),
  define('stop', tr('Stop recording'), []),
  define('pause', tr('Pause / resume'), []),
  define('privacy', tr('Privacy pause / resume'), []),
  define('forget', tr('Forget what was recorded last'), [], 'privacy delete'),
  define('mark', tr('Mark a subtask boundary'), []),
  define('moment', tr('Mark this moment'), []),
];
