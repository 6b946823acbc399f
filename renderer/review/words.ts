import { tr } from '../language/tr.ts';
import type { Aspect } from '../workbench/store.ts';
import type { ItemState } from './items.ts';

/** The states of a decision in words. */
export const ITEM_STATE_WORDS: Readonly<Record<ItemState, string>> = {
  undecided: tr('undecided'),
  again: tr('to decide again'),
  accepted: tr('accepted'),
  fixed: tr('fixed and accepted'),
  rejected: tr('rejected'),
};

/** What the buttons of the decision in hand say: of one part of a step, or of the item as a whole. */
export const acceptWords = (aspect: Aspect | null, fixed: boolean): string =>
  fixed
    ? tr(
        '{aspect, select, element {Accept as fixed the element} box {Accept as fixed the box} narration {Accept as fixed the narration} text {Accept as fixed the text} removal {Accept as fixed that it is kept} other {Accept as fixed}}',
        { aspect },
      )
    : tr(
        '{aspect, select, element {Accept the element} box {Accept the box} narration {Accept the narration} text {Accept the text} removal {Accept that it is kept} other {Accept}}',
        { aspect },
      );

export const rejectWords = (aspect: Aspect | null): string =>
  tr(
    '{aspect, select, element {Reject the element …} box {Reject the box …} narration {Reject the narration …} text {Reject the text …} removal {Reject that it is kept …} other {Reject …}}',
    { aspect },
  );

export const kindOfErrorWords = (kind: string): string =>
  tr('{kind, select, planning {planning error} structural {structural error} other {execution error}}', { kind });

/** Among others' judgements: which error it was. */
export const errorWords = (id: string | null): string =>
  tr(
    '{id, select, planning {planning error} structural {structural error} operational {execution: operational error} knowledge {execution: knowledge error} other {execution: perceptual error}}',
    { id },
  );
