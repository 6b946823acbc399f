import type { Contract } from '../../schemas/api/contract.ts';
import type { ReviewAct } from '../../schemas/review.ts';
import type { TeamRight, TeamRole } from '../../schemas/team-terms.ts';

/** The one table of rights of a team's server: which right a call needs, and which rights a role gives. */

/**
 * `data`: evaluation, frozen versions and what else tells an approved answer. People who annotate do not have it, since their
 * next piece of work may be a hidden check whose answer it would tell. `run`: programs on the server, and paid requests.
 */
export const ROLE_RIGHTS: Readonly<Record<TeamRole, readonly TeamRight[]>> = {
  viewer: ['see', 'data'],
  recorder: ['see', 'record'],
  annotator: ['see', 'annotate'],
  reviewer: ['see', 'annotate', 'review'],
  manager: ['see', 'data', 'record', 'annotate', 'review', 'manage', 'members'],
  owner: ['see', 'data', 'record', 'annotate', 'review', 'manage', 'members', 'run'],
};

type RoomsOf<C> = { [R in keyof C & string]: `${R}.${keyof C[R] & string}` };
/** `room.call` of every procedure of the contract. */
export type RouteName = RoomsOf<Contract>[keyof Contract & string];

/** `nobody`: no member of a team, whatever their role: it is about the machine that the server runs on. */
export type Needed = TeamRight | 'nobody';

/** The right that each procedure needs. The type refuses a contract with a procedure that is not here. */
export const ROUTE_RIGHTS = {
  'review.policy': 'see',
  'review.setPolicy': 'manage',
  'review.assign': 'manage',
  'review.queue': 'see',
  'review.get': 'see',
  // And by the act, see ACT_RIGHTS.
  'review.send': 'annotate',
  'review.history': 'see',
  'review.watch': 'see',
  'review.compare': 'see',
  'review.dashboard': 'see',
  'review.dashboardCsv': 'see',
  'workspaces.recent': 'see',
  'workspaces.open': 'nobody',
  'workspaces.openSample': 'nobody',
  'workspaces.forget': 'nobody',
  'workspaces.suggest': 'nobody',
  'folders.listed': 'see',
  'folders.list': 'nobody',
  'software.list': 'see',
  'software.add': 'manage',
  'software.update': 'manage',
  'people.find': 'see',
  'people.list': 'see',
  'people.add': 'manage',
  'tasks.list': 'see',
  'tasks.get': 'see',
  'tasks.create': 'manage',
  'tasks.update': 'manage',
  'tasks.importTable': 'manage',
  'tasks.assign': 'manage',
  'tasks.toRecord': 'record',
  'tasks.remove': 'manage',
  'tasks.detach': 'manage',
  'tasks.attachments': 'see',
  'tasks.attachmentHash': 'see',
  'recordings.list': 'see',
  'recordings.find': 'see',
  'recordings.open': 'see',
  'recordings.now': 'see',
  'recordings.import': 'manage',
  'recordings.export': 'manage',
  'recordings.prepare': 'annotate',
  'recordings.remove': 'manage',
  'recordings.restore': 'manage',
  'recordings.watch': 'see',
  'marks.list': 'see',
  'marks.name': 'annotate',
  'marks.remove': 'manage',
  'voice.get': 'see',
  'voice.remove': 'manage',
  'voice.transcribe': 'manage',
  'voice.sending': 'see',
  'voice.writeDown': 'manage',
  'annotation.get': 'see',
  'annotation.missing': 'see',
  'annotation.apply': 'annotate',
  'annotation.undo': 'annotate',
  'annotation.redo': 'annotate',
  'annotation.history': 'see',
  'annotation.watch': 'see',
  // These two begin a person's own document where they have none.
  'annotation.proposals': 'annotate',
  'annotation.grow': 'annotate',
  'annotation.vocabulary': 'see',
  'play.ready': 'see',
  'play.start': 'run',
  'play.verify': 'run',
  'play.verdict': 'see',
  'play.live': 'see',
  'play.list': 'see',
  'play.open': 'see',
  'play.differences': 'see',
  'runs.list': 'see',
  'runs.tables': 'see',
  'runs.live': 'see',
  'runs.human': 'run',
  'runs.model': 'run',
  'runs.watch': 'see',
  'runs.act': 'run',
  'runs.command': 'run',
  'arena.next': 'annotate',
  'arena.rank': 'annotate',
  'arena.undo': 'annotate',
  'arena.result': 'see',
  'judges.labelled': 'see',
  'judges.ask': 'run',
  'judges.list': 'see',
  'judges.of': 'see',
  'drafts.of': 'see',
  'drafts.reject': 'annotate',
  'candidates.of': 'see',
  'candidates.say': 'annotate',
  'candidates.ask': 'run',
  'compositions.list': 'see',
  'compositions.about': 'see',
  'compositions.edit': 'see',
  'compositions.save': 'manage',
  'compositions.remove': 'manage',
  'compositions.members': 'see',
  'compositions.known': 'see',
  'compositions.contents': 'see',
  'compositions.makeInstances': 'manage',
  'compositions.removeInstances': 'manage',
  'compositions.get': 'see',
  'compositions.run': 'see',
  'compositions.queue': 'see',
  'compositions.verification': 'see',
  'compositions.verify': 'annotate',
  'setup.get': 'see',
  'setup.saveRecipe': 'manage',
  'setup.programs': 'run',
  'setup.tryRecipe': 'run',
  'setup.saveChecks': 'manage',
  'setup.asked': 'see',
  'setup.agree': 'run',
  'setup.tryChecks': 'run',
  'setup.look': 'run',
  'skills.preview': 'data',
  'skills.write': 'manage',
  'recorder.preflight': 'nobody',
  'recorder.pictures': 'nobody',
  'recorder.microphones': 'nobody',
  'recorder.level': 'nobody',
  'recorder.start': 'nobody',
  'recorder.command': 'nobody',
  'recorder.state': 'see',
  'recorder.watch': 'see',
  'jobs.list': 'see',
  'jobs.get': 'manage',
  'jobs.cancel': 'manage',
  'jobs.again': 'manage',
  'jobs.failure': 'manage',
  'jobs.result': 'manage',
  'jobs.watch': 'see',
  'dataset.rows': 'see',
  'dataset.tag': 'manage',
  'dataset.split': 'manage',
  'dataset.planSplit': 'manage',
  'dataset.applySplit': 'manage',
  'dataset.leaks': 'data',
  'dataset.findDuplicates': 'manage',
  'dataset.duplicates': 'see',
  'dataset.dismiss': 'manage',
  'dataset.statistics': 'see',
  'dataset.terms': 'see',
  'dataset.setTerms': 'manage',
  'dataset.freeze': 'manage',
  'dataset.versions': 'see',
  'dataset.version': 'data',
  'dataset.compare': 'data',
  'exports.formats': 'see',
  'exports.suggest': 'manage',
  'exports.preview': 'data',
  'exports.start': 'manage',
  'exports.list': 'data',
  'exports.validate': 'manage',
  'archives.suggest': 'manage',
  'archives.make': 'manage',
  'archives.take': 'manage',
  'archives.list': 'manage',
  'evaluate.questionSets': 'data',
  'evaluate.makeQuestions': 'manage',
  'evaluate.takeQuestions': 'manage',
  'evaluate.removeQuestions': 'manage',
  'evaluate.runs': 'data',
  'evaluate.score': 'manage',
  'evaluate.judge': 'run',
  'evaluate.removeRun': 'manage',
  'evaluate.cases': 'data',
  'evaluate.caseOf': 'data',
  'team.me': 'see',
  'team.members': 'members',
  'team.setRole': 'members',
  'team.remove': 'members',
  'team.signOut': 'see',
  'team.invitations': 'members',
  'team.invite': 'members',
  'team.uninvite': 'members',
  'team.tokens': 'see',
  'team.makeToken': 'see',
  'team.revokeToken': 'see',
  'uploads.welcome': 'record',
  'uploads.find': 'record',
  'uploads.receipt': 'record',
  // The other side: a studio that sends its recordings to a server.
  'teamServer.get': 'nobody',
  'teamServer.connect': 'nobody',
  'teamServer.forget': 'nobody',
  'teamServer.tasks': 'nobody',
  'teamServer.take': 'nobody',
  'teamServer.outgoing': 'nobody',
  'teamServer.push': 'nobody',
  'settings.get': 'see',
  'settings.set': 'see',
} as const satisfies Record<RouteName, Needed>;

/** The rights of the plain routes below /files, by the word after the workspace; of a route that is sent to, with its method before it. */
export const FILE_RIGHTS: Readonly<Record<string, Needed>> = {
  recordings: 'see',
  attachments: 'see',
  live: 'see',
  runs: 'data',
  'question-sets': 'data',
  'POST attachments': 'manage',
  'POST predictions': 'manage',
  'POST export-preview': 'data',
  // Uploads of recorders; each sees only their own.
  uploads: 'record',
  'POST uploads': 'record',
  'PATCH uploads': 'record',
  'DELETE uploads': 'record',
  'OPTIONS uploads': 'record',
};

/** Acts of a review that need more than `annotate`. */
const ACT_RIGHTS: Partial<Record<ReviewAct['type'], TeamRight>> = {
  plan: 'manage',
  assign: 'manage',
  claim: 'review',
  release: 'review',
  decide: 'review',
  settle: 'review',
  verdict: 'review',
  reopen: 'review',
};

/** The right that a procedure needs; `nobody` for one that is unknown. */
export const rightOfRoute = (name: string): Needed =>
  Object.hasOwn(ROUTE_RIGHTS, name) ? ROUTE_RIGHTS[name as RouteName] : 'nobody';

/** A further right that its input makes a call need; null: none. */
export function rightOfInput(name: string, input: unknown): TeamRight | null {
  if (name !== 'review.send' || typeof input !== 'object' || input === null) return null;
  const act: unknown = Reflect.get(input, 'act');
  const type: unknown = typeof act === 'object' && act !== null ? Reflect.get(act, 'type') : undefined;
  return typeof type === 'string' && Object.hasOwn(ACT_RIGHTS, type)
    ? (ACT_RIGHTS[type as ReviewAct['type']] ?? null)
    : null;
}

/** Procedures whose field `person` names somebody they are about; everywhere else it says who calls. */
export const ABOUT_A_PERSON: ReadonlySet<string> = new Set<RouteName>(['people.find', 'team.invite']);

/** Whether somebody of the role `own` may invite, change or sign out somebody of `other`: owners are of owners alone. */
export const mayManageRole = (own: TeamRole, other: TeamRole): boolean =>
  ROLE_RIGHTS[own].includes('members') && (own === 'owner' || other !== 'owner');
