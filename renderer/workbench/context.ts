import { createContext, useContext } from 'react';
import type { Actions } from './actions.ts';
import type { FramePictures } from './frames/pictures.ts';
import type { FrameList } from './frames/times.ts';
import type { ReviewSync } from './log/sync.ts';

/** Shared by the parts of an open workspace, beside its state. None of it changes while the workspace is open. */
export type Tools = {
  actions: Actions;
  pictures: FramePictures;
  frames: FrameList;
  /** Sends comments, decisions and judgements; null while nobody was chosen. */
  review: ReviewSync | null;
  /** Does what a command does, for its button. */
  run: (command: string) => void;
  /** Moves the focus to a field by its name, and opens the section that holds it. */
  focus: { register: (name: string, element: () => HTMLElement | null) => () => void; go: (name: string) => boolean };
};

export const ToolsContext = createContext<Tools | null>(null);

export function useTools(): Tools {
  const tools = useContext(ToolsContext);
  if (!tools) throw new Error('The annotation workspace is not open here.');
  return tools;
}

export function useActions(): Actions {
  return useTools().actions;
}

/**
 * Fields by name, so that a key can go to one without knowing where it is. `ready` is called before the focus goes to
 * one of them: it must be there, and hold what it is to hold.
 */
export function makeFocus(ready: () => void): Tools['focus'] {
  const fields = new Map<string, () => HTMLElement | null>();
  return {
    register(name, element) {
      fields.set(name, element);
      return () => fields.delete(name);
    },
    go(name) {
      if (name !== 'list') ready();
      // Where all boxes are shown they are the list.
      const element = (name === 'list' ? fields.get('sheet')?.() : null) ?? fields.get(name)?.();
      if (!element) return false;
      element.focus();
      if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) element.select();
      return true;
    },
  };
}
