import { create } from 'zustand';
import { tr } from '../language/tr.ts';
import { useHandlers } from './keys/use-commands.ts';

/** What was just done, in a line at the foot of the page, with the way to take it back. */

type Toast = {
  id: number;
  text: string;
  /** Takes it back, for everybody: only where everything that was changed comes back as it was. */
  undo: (() => Promise<unknown>) | null;
  /** The command whose key takes it back on this page. */
  command: string | null;
  undoing: boolean;
  failed: boolean;
};

export const useToasts = create<{ toast: Toast | null }>(() => ({ toast: null }));

let told = 0;

/** Says what was done; what was said before it goes. `scope`: the page's, whose command `<scope>.undo` takes it back. */
export function tellDone(text: string, undo: (() => Promise<unknown>) | null, scope: string | null = null): void {
  const command = scope === null ? null : `${scope}.undo`;
  useToasts.setState({ toast: { id: ++told, text, undo, command, undoing: false, failed: false } });
}

export const dismissToast = (): void => useToasts.setState({ toast: null });

/** Takes back what was said last. When that fails it says why, and can be tried again. */
export async function undoDone(): Promise<void> {
  const { toast } = useToasts.getState();
  if (!toast?.undo || toast.undoing) return;
  const { id, text, undo } = toast;
  const change = (part: Partial<Toast>): void =>
    useToasts.setState((now) => (now.toast?.id === id ? { toast: { ...now.toast, ...part } } : now));
  change({ undoing: true });
  try {
    await undo();
    change({ text: tr('Undone: {text}', { text }), undo: null, undoing: false, failed: false });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    change({ text: tr('Not undone. {why}', { why }), undoing: false, failed: true });
  }
}

/** On a page whose acts can be taken back: its key does so while it is said what was done. */
export function useUndoKey(scope: string): void {
  const enabled = useToasts(({ toast }) => toast !== null && toast.undo !== null && !toast.undoing);
  useHandlers(scope, { [`${scope}.undo`]: { run: () => void undoDone(), enabled } });
}
