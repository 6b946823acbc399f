import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn } from '../ui/keys/commands.ts';

/**
 * Every command of the workspace, for the list of keys, the palette and the settings. `annotate` is heard on the whole
 * page, of annotating and of reviewing; `annotate.steps` while no box is made by keys, `annotate.box` while one is: these
 * two share the arrows. `annotate.edit` writes in the document: for annotators, and for reviewers who fix something;
 * `annotate.edit.work` is the annotator's alone, `annotate.edit.review` and `annotate.judge` are in renderer/review/commands.ts.
 */
const define = commandsIn('annotate');

const edit = { scope: 'annotate.edit' } as const;
const work = { scope: 'annotate.edit.work' } as const;
const moving = { scope: 'annotate.steps', repeats: true, notInPalette: true } as const;
const box = { scope: 'annotate.box', repeats: true, notInPalette: true } as const;

export const PROPOSAL_KEYS = ['1', '2', '3', '4', '5'] as const;

export const commands: readonly CommandDefinition[] = [
  define('next', tr('Next step'), ['ArrowDown', 'J'], moving),
  define('previous', tr('Previous step'), ['ArrowUp', 'K'], moving),
  define('extendDown', tr('Choose the next step too'), ['Shift+ArrowDown', 'Shift+J'], moving),
  define('extendUp', tr('Choose the previous step too'), ['Shift+ArrowUp', 'Shift+K'], moving),
  define('first', tr('First step'), ['Home'], moving),
  define('last', tr('Last step'), ['End'], moving),
  define('boxes', tr('All boxes'), ['Shift+G'], { words: 'contact sheet grid tiles overview crops' }),
  define('boxesOf', tr('All boxes: of all steps, of open ones, those missing'), ['Shift+O'], { words: 'filter' }),
  define('tileLeft', tr('Box to the left'), ['ArrowLeft'], moving),
  define('tileRight', tr('Box to the right'), ['ArrowRight'], moving),
  define('nextSubtask', tr('Next subtask'), ['PageDown'], { repeats: true }),
  define('previousSubtask', tr('Previous subtask'), ['PageUp'], { repeats: true }),
  define('nextOpen', tr('Next open step'), ['Shift+Enter'], { ...work, words: 'todo left undone' }),

  define('handIn', tr('Submit, or withdraw'), ['Shift+H'], { ...work, words: 'hand in finish take back done' }),
  define('review', tr('Start the review, or continue it'), ['Shift+V'], { ...work, words: 'accept reject verdict' }),
  define('missing', tr('What is missing'), ['Shift+M'], { ...work, words: 'gaps boxes titles submit check' }),
  define('nextMissing', tr('Next thing missing'), ['F8'], {
    ...work,
    inFields: true,
    words: 'gap box title narration',
  }),
  define('addStep', tr('Add a step at this picture'), ['Insert', 'Alt+A'], { ...work, words: 'video new click' }),
  define('confirm', tr('Confirm and continue'), ['Enter'], { ...work, words: 'accept done' }),
  define('done', tr('Mark as done or open'), ['D'], { ...work, words: 'confirm toggle' }),
  define('autoAdvance', tr('Auto-advance after confirming'), ['A'], { ...work, words: 'go on continue switch' }),
  ...PROPOSAL_KEYS.map((key) =>
    define(`proposal${key}`, tr('Take suggestion {key}', { key }), [key], { ...work, words: 'proposal' }),
  ),
  define('takeDraft', tr('Take the draft of a model'), ['6'], { ...work, words: 'proposal accept' }),
  define('refuseDraft', tr('Refuse the draft of a model'), ['7'], { ...work, words: 'proposal reject' }),
  define('element', tr('Name the element'), ['E'], edit),
  define('copy', tr('Copy from previous step'), ['C'], { ...work, words: 'same element' }),
  define('narration', tr('Overwrite the narration'), ['N'], edit),
  define('resetNarration', tr('Reset the narration'), ['Shift+N'], edit),
  define('thoughts', tr('Add reasoning: thought, action thought, observation'), ['Shift+T'], {
    ...edit,
    words: 'reasoning why',
  }),
  define('text', tr('Correct the typed text'), ['Y'], edit),
  define('drag', tr('Start position of the drag'), ['Q'], { ...edit, words: 'quadruple end purpose' }),
  define('dragKind', tr('Movement or resizing'), ['V'], { ...edit, words: 'drag' }),
  define('flag', tr('Flag or unflag'), ['F'], work),
  define('remove', tr('Remove with a reason, or restore'), ['X'], { ...edit, words: 'delete mistake private' }),
  define('skill', tr('Export as skill'), ['Shift+E'], { words: 'agent teach demonstration' }),
  define('history', tr('History of this step'), ['H']),
  define('undo', tr('Undo'), ['Mod+Z'], { ...edit, repeats: true }),
  define('redo', tr('Redo'), ['Mod+Shift+Z', 'Mod+Y'], { ...edit, repeats: true }),

  define('box', tr('Draw the box with the keyboard'), ['B'], { ...edit, words: 'corners draw rectangle' }),
  define('boxEnd', tr('Draw the box at the drag’s end with the keyboard'), ['Shift+B'], edit),
  define('grow', tr('Auto-fit a box around the recorded point'), ['R'], { ...edit, words: 'edges' }),
  define('removeBox', tr('Remove the box'), ['Delete'], edit),
  define('corner', tr('Set a corner'), ['Space'], { ...box, repeats: false }),
  define('left', tr('Left by 1 px'), ['ArrowLeft'], box),
  define('right', tr('Right by 1 px'), ['ArrowRight'], box),
  define('up', tr('Up by 1 px'), ['ArrowUp'], box),
  define('down', tr('Down by 1 px'), ['ArrowDown'], box),
  define('farLeft', tr('Left by 10 px'), ['Shift+ArrowLeft'], box),
  define('farRight', tr('Right by 10 px'), ['Shift+ArrowRight'], box),
  define('farUp', tr('Up by 10 px'), ['Shift+ArrowUp'], box),
  define('farDown', tr('Down by 10 px'), ['Shift+ArrowDown'], box),
  define('narrower', tr('Narrower by 1 px'), ['Alt+ArrowLeft'], box),
  define('wider', tr('Wider by 1 px'), ['Alt+ArrowRight'], box),
  define('lower', tr('Less high by 1 px'), ['Alt+ArrowUp'], box),
  define('higher', tr('Higher by 1 px'), ['Alt+ArrowDown'], box),
  define('muchNarrower', tr('Narrower by 10 px'), ['Alt+Shift+ArrowLeft'], box),
  define('muchWider', tr('Wider by 10 px'), ['Alt+Shift+ArrowRight'], box),
  define('muchLower', tr('Less high by 10 px'), ['Alt+Shift+ArrowUp'], box),
  define('muchHigher', tr('Higher by 10 px'), ['Alt+Shift+ArrowDown'], box),

  define('goal', tr('Goal of the task'), ['G'], edit),
  define('title', tr('Title of the subtask'), ['T'], edit),
  define('split', tr('Split the subtask here'), ['S'], { ...edit, words: 'new subtask' }),
  define('merge', tr('Merge with the subtask before'), ['M'], { ...edit, words: 'join' }),
  define('markIn', tr('Begin this subtask at this step'), ['I'], { ...edit, words: 'mark in edge' }),
  define('markOut', tr('End this subtask at this step'), ['O'], { ...edit, words: 'mark out edge' }),
  define('fold', tr('Fold or unfold the subtask'), ['Shift+F']),
  define('loopSubtask', tr('Play the subtask in a loop'), ['L'], { words: 'video' }),

  define('flip', tr('Before or after'), ['Z'], { words: 'picture' }),
  define('flipping', tr('Before and after alternate'), ['Shift+Z']),
  define('beforeBack', tr('Move the before frame back'), ['['], { ...edit, repeats: true }),
  define('beforeForward', tr('Move the before frame on'), [']'], { ...edit, repeats: true }),
  define('afterBack', tr('Move the after frame back'), ['{'], { ...edit, repeats: true }),
  define('afterForward', tr('Move the after frame on'), ['}'], { ...edit, repeats: true }),
  define('frameBack', tr('Look one frame back'), [','], { repeats: true }),
  define('frameForward', tr('Look one frame on'), ['.'], { repeats: true }),
  define('play', tr('Play the clip around the step'), ['Space'], {
    scope: 'annotate.steps',
    words: 'video loop pause stop',
  }),
  define('playAll', tr('Play on from here'), ['P'], { words: 'video recording' }),
  define('slower', tr('Play slower'), ['<']),
  define('faster', tr('Play faster'), ['>']),
  define('skipIdle', tr('Skip idle stretches'), ['U']),
  define('zoomIn', tr('Zoom in'), ['+', '='], { repeats: true }),
  define('zoomOut', tr('Zoom out'), ['-'], { repeats: true }),
  define('zoomFit', tr('Fit the picture'), ['0']),
  define('zoom100', tr('Zoom to 100 %'), ['9']),
  define('zoom200', tr('Zoom to 200 %'), ['8']),
  define('loupe', tr('Loupe'), ['Shift+L'], { words: 'magnifier' }),
  define('timelineIn', tr('Timeline: zoom in'), ['Alt+=', 'Alt++'], { repeats: true }),
  define('timelineOut', tr('Timeline: zoom out'), ['Alt+-'], { repeats: true }),
  define('timelineFit', tr('Timeline: the whole recording'), ['Alt+9']),
  define('source', tr('Source video and transcript'), ['W'], { words: 'watch' }),
  define('marks', tr('Marks and voice'), ['Shift+Q'], { words: 'moments while recording sound microphone' }),
  define('escape', tr('Leave the field or the mode'), ['Escape'], { inFields: true, notInPalette: true }),
];
