import type { Asker } from '../play/agreed.ts';
import type { AskedStudio } from './studio.ts';

/** Who asks for something to be run: the person of a page, or a script. */
export const askerIn = (context: Pick<AskedStudio, 'home' | 'isLocal'>, person: string | undefined): Asker => ({
  config: context.home.config,
  person: person ?? null,
  isLocal: context.isLocal,
});
