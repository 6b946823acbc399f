/**
 * When lists of tasks and recordings have something new to show. Twenty people make a dozen gestures a second, and each
 * open list asks for all of it again when it is told: so it is told at most every `everyMs`, and only when a figure that
 * lists show has changed.
 */
export type ListNews = {
  /** Somebody worked on a recording: its figures may have changed. */
  worked(recording: string): void;
  /** Something changed that has no figure: tell the lists. */
  changed(): void;
  close(): void;
};

type Parts = {
  everyMs: number;
  /** These recordings in lists, as one text each. */
  figuresOf(recordings: readonly string[]): Promise<ReadonlyMap<string, string>>;
  tell(): void;
};

export function gatherListNews({ everyMs, figuresOf, tell }: Parts): ListNews {
  /** The rows as they were sent last. */
  const known = new Map<string, string>();
  const touched = new Set<string>();
  let due = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;
  let looking = false;
  let closed = false;

  /** True when one of these recordings shows something else than lists were told last. */
  async function isNew(recordings: readonly string[]): Promise<boolean> {
    if (recordings.length === 0) return false;
    const now = await figuresOf(recordings);
    let differs = false;
    for (const recording of recordings) {
      const figures = now.get(recording) ?? '';
      if (known.get(recording) !== figures) differs = true;
      known.set(recording, figures);
    }
    return differs;
  }

  async function look(): Promise<void> {
    const recordings = [...touched];
    touched.clear();
    const wanted = due;
    due = false;
    // Figures that cannot be read now are no reason to say nothing: whoever asks hears why.
    const differs = await isNew(recordings).catch(() => true);
    if (!closed && (wanted || differs)) tell();
  }

  function plan(): void {
    if (timer !== null || looking || closed) return;
    timer = setTimeout(
      () => {
        timer = null;
        looking = true;
        lookedAt = performance.now();
        void look().finally(() => {
          looking = false;
          if (due || touched.size > 0) plan();
        });
      },
      Math.max(0, lookedAt + everyMs - performance.now()),
    );
    timer.unref();
  }

  return {
    worked(recording) {
      touched.add(recording);
      plan();
    },
    changed() {
      due = true;
      plan();
    },
    close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
