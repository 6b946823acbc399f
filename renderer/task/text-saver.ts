export type SaveState = 'clean' | 'saving' | 'saved' | { error: unknown };

export type TextSaver = {
  /** Stores what is written now, unless it is stored. One save at a time: what is written meanwhile is stored after it. */
  save: () => void;
  /** Somebody else (another tab, the command line) has stored this. */
  take: (text: string) => void;
  /** Whether what is written is what is stored. */
  isClean: () => boolean;
};

/**
 * Keeps a text in the studio the same as the one that is being written. A save that is on its way holds the next one back, so
 * that the last word stays the last: also when it takes the text back to what it was before that save.
 */
export function makeTextSaver(options: {
  stored: string;
  written: () => string;
  send: (text: string) => Promise<unknown>;
  onState: (state: SaveState) => void;
}): TextSaver {
  const { written, send, onState } = options;
  let { stored } = options;
  let running = false;

  async function run(): Promise<void> {
    if (running || written() === stored) return;
    running = true;
    onState('saving');
    try {
      while (written() !== stored) {
        const wanted = written();
        await send(wanted);
        stored = wanted;
      }
      onState('saved');
    } catch (error) {
      onState({ error });
    } finally {
      running = false;
    }
  }

  return {
    save: () => void run(),
    take(text) {
      stored = text;
    },
    isClean: () => written() === stored,
  };
}
