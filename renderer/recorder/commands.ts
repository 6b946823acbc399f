import { tr } from '../language/tr.ts';
import type { CommandDefinition } from '../ui/keys/commands.ts';

/** Stop, pause and mark are heard by the recorder itself, in every application: the page gives them no keys of its own. */
export const commands: readonly CommandDefinition[] = [
  { id: 'record.start', scope: 'record', label: tr('Start recording'), keys: ['Mod+Enter'], inFields: true },
  { id: 'record.check', scope: 'record', label: tr('Check the machine again'), keys: ['C'], words: 'preflight doctor' },
  { id: 'record.display', scope: 'record', label: tr('Record a display'), keys: ['D'] },
  { id: 'record.region', scope: 'record', label: tr('Record a region'), keys: ['G'] },
  { id: 'record.window', scope: 'record', label: tr('Record a window'), keys: ['W'] },
  {
    id: 'record.elements',
    scope: 'record',
    label: tr('Record the element at each press, or not'),
    keys: ['E'],
    words: 'accessibility names passwords',
  },
  {
    id: 'record.accept',
    scope: 'record',
    label: tr('Accept that only X11 programs are heard'),
    keys: ['A'],
    words: 'wayland',
  },
  { id: 'record.cancel', scope: 'record', label: tr('Cancel the countdown'), keys: ['Escape'] },
  { id: 'record.stop', scope: 'record', label: tr('Stop recording'), keys: [] },
  { id: 'record.pause', scope: 'record', label: tr('Pause / resume'), keys: [] },
  { id: 'record.privacy', scope: 'record', label: tr('Privacy pause / resume'), keys: [] },
  {
    id: 'record.forget',
    scope: 'record',
    label: tr('Forget what was recorded last'),
    keys: [],
    words: 'privacy delete',
  },
  { id: 'record.mark', scope: 'record', label: tr('Mark a subtask boundary'), keys: [] },
];
