import type { TeamRight } from '../../schemas/team-terms.ts';
import { tr } from '../language/tr.ts';

export const RIGHT_WORDS: Readonly<Record<TeamRight, string>> = {
  see: tr('See tasks, recordings and annotation'),
  data: tr('See evaluations and frozen versions'),
  record: tr('Bring recordings'),
  annotate: tr('Annotate'),
  review: tr('Review'),
  manage: tr('Plan work, import, export'),
  run: tr('Run programs on the server'),
  members: tr('Invite people and change roles'),
};
