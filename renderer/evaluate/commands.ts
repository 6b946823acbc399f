import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn } from '../ui/keys/commands.ts';

const cases = commandsIn('cases');
const evaluate = commandsIn('evaluate');

export const commands: readonly CommandDefinition[] = [
  evaluate('load', tr('Load predictions of a model'), ['L'], 'score upload file'),
  evaluate('questions', tr('Make or take questions or tasks'), ['Q'], 'question set benchmark'),
  evaluate('make', tr('Make the usual questions at once'), ['M'], 'question set benchmark first'),
  evaluate('judge', tr('Judge the plans of the chosen model'), ['G'], 'critic grade score model'),
  evaluate('down', tr('Next model'), ['ArrowDown', 'J'], { notInPalette: true }),
  evaluate('up', tr('Previous model'), ['ArrowUp', 'K'], { notInPalette: true }),
  evaluate('open', tr('Look at the cases of the chosen model'), ['Enter']),
  evaluate('remove', tr('Remove the chosen run'), ['Delete']),
  evaluate('csv', tr('Download the tables as CSV'), ['D'], 'export save'),
  evaluate('json', tr('Download the results as JSON'), ['Shift+D'], 'export save'),
  cases('next', tr('Next case'), ['ArrowDown', 'J'], { repeats: true, notInPalette: true }),
  cases('previous', tr('Previous case'), ['ArrowUp', 'K'], { repeats: true, notInPalette: true }),
  cases('wrong', tr('Only wrong cases, or all'), ['W'], 'filter'),
  cases('order', tr('Worst first, or in order'), ['O'], 'sort'),
  cases('search', tr('Search cases by id'), ['/'], 'find filter'),
  cases('clear', tr('Clear the filters of cases'), ['Escape'], 'clear filter'),
  cases('picture', tr('Next picture of the question'), ['P']),
  cases('zoom', tr('Zoom to the marks, or the whole picture'), ['Z']),
  cases('compare', tr('Compare with the next model'), ['C'], 'other'),
  cases('back', tr('Back to the leaderboard'), ['B']),
];
