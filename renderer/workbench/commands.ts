import type { CommandDefinition } from '../ui/keys/commands.ts';

/**
 * Every command of the workspace, for the list of keys, the palette and the settings. `annotate` is heard on the whole
 * page, of annotating and of reviewing; `annotate.steps` while no box is made by keys, `annotate.box` while one is: these
 * two share the arrows. `annotate.edit` writes in the document: for annotators, and for reviewers who fix something;
 * `annotate.edit.work` is the annotator's alone, `annotate.edit.review` and `annotate.judge` are in renderer/review/commands.ts.
 */
const define = (
  id: string,
  label: string,
  keys: readonly string[],
  more: Partial<CommandDefinition> = {},
): CommandDefinition => ({ id: `annotate.${id}`, scope: 'annotate', label, keys, ...more });

const edit = { scope: 'annotate.edit' } as const;
const work = { scope: 'annotate.edit.work' } as const;
const moving = { scope: 'annotate.steps', repeats: true, notInPalette: true } as const;
const box = { scope: 'annotate.box', repeats: true, notInPalette: true } as const;

export const PROPOSAL_KEYS = ['1', '2', '3', '4', '5'] as const;

export const commands: readonly CommandDefinition[] = [
  define('next', 'Next step', ['ArrowDown', 'J'], moving),
  define('previous', 'Previous step', ['ArrowUp', 'K'], moving),
  define('extendDown', 'Choose the next step too', ['Shift+ArrowDown', 'Shift+J'], moving),
  define('extendUp', 'Choose the previous step too', ['Shift+ArrowUp', 'Shift+K'], moving),
  define('first', 'First step', ['Home'], moving),
  define('last', 'Last step', ['End'], moving),
  define('nextSubtask', 'Next subtask', ['PageDown'], { repeats: true }),
  define('previousSubtask', 'Previous subtask', ['PageUp'], { repeats: true }),
  define('nextOpen', 'Next open step', ['Shift+Enter'], { ...work, words: 'todo left undone' }),

  define('handIn', 'Submit, or withdraw', ['Shift+H'], { ...work, words: 'hand in finish take back done' }),
  define('missing', 'What is missing', ['Shift+M'], { ...work, words: 'gaps boxes titles submit check' }),
  define('nextMissing', 'Next thing missing', ['F8'], { ...work, inFields: true, words: 'gap box title narration' }),
  define('addStep', 'Add a step at this picture', ['Insert', 'Alt+A'], { ...work, words: 'video new click' }),
  define('confirm', 'Confirm and go on', ['Enter'], { ...work, words: 'accept done' }),
  define('done', 'Mark as done or open', ['D'], { ...work, words: 'confirm toggle' }),
  define('autoAdvance', 'Auto-advance after confirming', ['A'], { ...work, words: 'go on switch' }),
  ...PROPOSAL_KEYS.map((key) =>
    define(`proposal${key}`, `Take proposal ${key}`, [key], { ...work, words: 'suggestion' }),
  ),
  define('element', 'Name the element', ['E'], edit),
  define('copy', 'Copy from previous step', ['C'], { ...work, words: 'same element' }),
  define('narration', 'Overwrite the narration', ['N'], edit),
  define('resetNarration', 'Reset the narration', ['Shift+N'], edit),
  define('thoughts', 'Write thoughts: thought, action thought, observation', ['Shift+T'], {
    ...edit,
    words: 'reasoning why',
  }),
  define('text', 'Correct the typed text', ['Y'], edit),
  define('drag', 'Start position of the drag', ['Q'], { ...edit, words: 'quadruple end purpose' }),
  define('dragKind', 'Movement or resizing', ['V'], { ...edit, words: 'drag' }),
  define('flag', 'Flag or unflag', ['F'], work),
  define('remove', 'Remove with a reason, or restore', ['X'], { ...edit, words: 'delete mistake private' }),
  define('history', 'History of this step', ['H']),
  define('undo', 'Undo', ['Mod+Z'], { ...edit, repeats: true }),
  define('redo', 'Redo', ['Mod+Shift+Z', 'Mod+Y'], { ...edit, repeats: true }),

  define('box', 'Box by keys', ['B'], { ...edit, words: 'corners draw rectangle' }),
  define('boxEnd', "Box at the drag's end by keys", ['Shift+B'], edit),
  define('grow', 'Grow a box from the recorded point', ['R'], { ...edit, words: 'edges' }),
  define('removeBox', 'Remove the box', ['Delete'], edit),
  define('corner', 'Set a corner', ['Space'], { ...box, repeats: false }),
  define('left', 'Left by 1 px', ['ArrowLeft'], box),
  define('right', 'Right by 1 px', ['ArrowRight'], box),
  define('up', 'Up by 1 px', ['ArrowUp'], box),
  define('down', 'Down by 1 px', ['ArrowDown'], box),
  define('farLeft', 'Left by 10 px', ['Shift+ArrowLeft'], box),
  define('farRight', 'Right by 10 px', ['Shift+ArrowRight'], box),
  define('farUp', 'Up by 10 px', ['Shift+ArrowUp'], box),
  define('farDown', 'Down by 10 px', ['Shift+ArrowDown'], box),
  define('narrower', 'Narrower by 1 px', ['Alt+ArrowLeft'], box),
  define('wider', 'Wider by 1 px', ['Alt+ArrowRight'], box),
  define('lower', 'Less high by 1 px', ['Alt+ArrowUp'], box),
  define('higher', 'Higher by 1 px', ['Alt+ArrowDown'], box),
  define('muchNarrower', 'Narrower by 10 px', ['Alt+Shift+ArrowLeft'], box),
  define('muchWider', 'Wider by 10 px', ['Alt+Shift+ArrowRight'], box),
  define('muchLower', 'Less high by 10 px', ['Alt+Shift+ArrowUp'], box),
  define('muchHigher', 'Higher by 10 px', ['Alt+Shift+ArrowDown'], box),

  define('goal', 'Goal of the task', ['G'], edit),
  define('title', 'Title of the subtask', ['T'], edit),
  define('split', 'Split the subtask here', ['S'], { ...edit, words: 'new subtask' }),
  define('merge', 'Merge with the subtask before', ['M'], { ...edit, words: 'join' }),
  define('markIn', 'Begin this subtask at this step', ['I'], { ...edit, words: 'mark in edge' }),
  define('markOut', 'End this subtask at this step', ['O'], { ...edit, words: 'mark out edge' }),
  define('fold', 'Fold or unfold the subtask', ['Shift+F']),
  define('loopSubtask', 'Play the subtask in a loop', ['L'], { words: 'video' }),

  define('flip', 'Before or after', ['Z'], { words: 'picture' }),
  define('flipping', 'Before and after alternate', ['Shift+Z']),
  define('beforeBack', 'Move the before frame back', ['['], { ...edit, repeats: true }),
  define('beforeForward', 'Move the before frame on', [']'], { ...edit, repeats: true }),
  define('afterBack', 'Move the after frame back', ['{'], { ...edit, repeats: true }),
  define('afterForward', 'Move the after frame on', ['}'], { ...edit, repeats: true }),
  define('frameBack', 'Look one frame back', [','], { repeats: true }),
  define('frameForward', 'Look one frame on', ['.'], { repeats: true }),
  define('play', 'Play the clip around the step', ['Space'], {
    scope: 'annotate.steps',
    words: 'video loop pause stop',
  }),
  define('playAll', 'Play on from here', ['P'], { words: 'video recording' }),
  define('slower', 'Play slower', ['<']),
  define('faster', 'Play faster', ['>']),
  define('skipIdle', 'Skip idle stretches', ['U']),
  define('zoomIn', 'Zoom in', ['+', '='], { repeats: true }),
  define('zoomOut', 'Zoom out', ['-'], { repeats: true }),
  define('zoomFit', 'Fit the picture', ['0']),
  define('zoom100', 'Zoom to 100 %', ['9']),
  define('zoom200', 'Zoom to 200 %', ['8']),
  define('loupe', 'Loupe', ['Shift+L'], { words: 'magnifier' }),
  define('timelineIn', 'Timeline: zoom in', ['Alt+=', 'Alt++'], { repeats: true }),
  define('timelineOut', 'Timeline: zoom out', ['Alt+-'], { repeats: true }),
  define('timelineFit', 'Timeline: the whole recording', ['Alt+9']),
  define('source', 'Source video and transcript', ['W'], { words: 'watch' }),
  define('escape', 'Leave the field or the mode', ['Escape'], { inFields: true, notInPalette: true }),
];
