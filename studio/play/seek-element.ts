import { calledWords, shiftByElement } from '../../core/play/element.ts';
import type { ElementSeeker } from '../../core/play/eyes.ts';
import type { NamedFinder } from '../../native/elements/contract.ts';
import { openElementFinder } from '../../native/index.ts';

/** Asks the programs on this process's display where an element is now. */

const SILENT = 'its program tells nothing of its elements';

/** Nobody is asked before the first search. */
export function seekElements(
  open: () => Promise<NamedFinder | null> = openElementFinder,
): ElementSeeker & { close(): void } {
  let finder: NamedFinder | null = null;
  return {
    async seek(target, at) {
      try {
        // Asked again where nobody spoke: a program may be starting.
        finder ??= await open();
      } catch {
        return { why: SILENT }; // There is no accessibility bus.
      }
      if (!finder) return { why: SILENT };
      const found = shiftByElement(target, at, finder.named(target));
      if ('why' in found) return found;
      const { x, y } = found.shift;
      return finder.isAt(at.x + x, at.y + y, target)
        ? found
        : { why: `something else lies where its ${calledWords(target)} is` };
    },
    close() {
      finder?.close();
      finder = null;
    },
  };
}
