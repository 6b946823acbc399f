import { ROUTE_RIGHTS, type RouteName } from '../../core/team/rights.ts';
import type { TeamMe } from '../../schemas/api/team.ts';
import { meNow, ROLE_WORDS } from '../client/team.ts';
import { tr } from '../language/tr.ts';
import { refuseCommands } from '../ui/keys/store.ts';

/**
 * The call that a command is for: on a team's server a command is greyed out for whoever may not make it, by the same table by
 * which the server refuses it. What only looks, and what everybody who works may do, is not here.
 */
export const COMMAND_CALLS: Readonly<Record<string, RouteName>> = {
  'app.share': 'archives.make',
  'app.evaluate': 'evaluate.runs',
  'library.new': 'tasks.create',
  'library.table': 'tasks.importTable',
  'library.software': 'software.add',
  'library.people': 'people.add',
  'library.import': 'recordings.import',
  'library.close': 'tasks.update',
  'library.assign': 'review.assign',
  'library.record': 'recorder.start',
  'task.record': 'recorder.start',
  'task.stage': 'runs.human',
  'task.import': 'recordings.import',
  'work.server': 'teamServer.connect',
  'task.goal': 'tasks.update',
  'task.notes': 'tasks.update',
  'task.attach': 'tasks.update',
  'task.recipe': 'setup.saveRecipe',
  'task.checks': 'setup.saveChecks',
  'task.close': 'tasks.update',
  'task.plan': 'review.assign',
  'task.assign': 'review.assign',
  'task.export': 'exports.start',
  'task.skill': 'skills.preview',
  'task.remove': 'recordings.remove',
  'task.removeTask': 'tasks.remove',
  'recordings.import': 'recordings.import',
  'recordings.plan': 'review.assign',
  'recordings.assign': 'review.assign',
  'recordings.export': 'exports.start',
  'recordings.skill': 'skills.preview',
  'recordings.remove': 'recordings.remove',
  'dataset.tag': 'dataset.tag',
  'dataset.split': 'dataset.split',
  'dataset.rule': 'dataset.applySplit',
  'dataset.leaks': 'dataset.leaks',
  'dataset.freeze': 'dataset.freeze',
  'dataset.export': 'exports.preview',
  'exports.start': 'exports.start',
  'exports.archive': 'archives.make',
  'exports.import': 'archives.take',
  'evaluate.load': 'evaluate.score',
  'evaluate.questions': 'evaluate.makeQuestions',
  'evaluate.make': 'evaluate.makeQuestions',
  'evaluate.judge': 'evaluate.judge',
  'evaluate.remove': 'evaluate.removeRun',
  'work.assign': 'review.assign',
  'work.policy': 'review.setPolicy',
  'play.start': 'play.start',
  'play.verify': 'play.verify',
  'runs.judge': 'judges.ask',
  'runs.arena': 'arena.rank',
  'candidates.ask': 'candidates.ask',
  'candidates.right': 'candidates.say',
  'candidates.wrong': 'candidates.say',
  'candidates.back': 'candidates.say',
  'record.start': 'recorder.start',
  'record.check': 'recorder.preflight',
  'skill.write': 'skills.write',
  'skill.teach': 'recorder.start',
  'live.begin': 'runs.human',
  'compositions.new': 'compositions.save',
  'compose.save': 'compositions.save',
  'composition.instances': 'compositions.makeInstances',
  'compose.remove': 'compositions.remove',
  'members.invite': 'team.invite',
};

/** Why `me`, who is signed in, may not do what the command does; null: they may, and on a machine of one's own everybody. */
export function whyRefused(me: TeamMe | null, command: string): string | null {
  const call = Object.hasOwn(COMMAND_CALLS, command) ? COMMAND_CALLS[command] : undefined;
  if (me === null || call === undefined) return null;
  const needed = ROUTE_RIGHTS[call];
  if (needed === 'nobody') {
    return tr('On a team’s server nobody does this: it is about the machine that the server runs on.');
  }
  if (me.rights.includes(needed)) return null;
  return tr('Your role ({role}) does not include this. A manager of the workspace can change your role.', {
    role: ROLE_WORDS[me.role].name,
  });
}

/** Once, before the first page. */
export const greyOutByRole = (): void => refuseCommands((command) => whyRefused(meNow(), command));
