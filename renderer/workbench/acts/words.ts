import * as edit from '../../../core/annotate/edit.ts';
import type { RecordOf, Source } from '../../../schemas/annotation.ts';
import { english } from '../../language/tr.ts';
import type { Gestures } from './gestures.ts';

/** The names that the history gives them. */
const REASONING_WORDS = {
  thought: english('Write thought'),
  actionThought: english('Write action thought'),
  observation: english('Write observation'),
} as const;

/** What is written of steps, subtasks and the whole: names, narrations, reasoning, titles, the goal. */
export function makeWordActs({ gesture, records, store }: Gestures) {
  function name(action: string, element: string, source: Source = 'hand'): void {
    gesture(english('Name element'), () => edit.nameElement(records(), action, element, source));
  }

  function field<F extends edit.LabelField>(
    action: string,
    which: F,
    value: RecordOf<'label'>[F],
    label: string,
  ): void {
    gesture(label, () => edit.setField(records(), action, which, value));
  }

  function narrate(action: string, text: string | null): void {
    const made = store.getState().doc.steps.find((one) => one.step.id === action)?.narrationMade;
    // The sentence as it is made is no overwriting.
    const value = text !== null && text.trim() === made ? null : text;
    gesture(value === null ? english('Reset narration') : english('Overwrite narration'), () =>
      edit.setNarration(records(), action, value),
    );
  }

  function reason(action: string, which: edit.ReasoningField, text: string): void {
    gesture(REASONING_WORDS[which], () => edit.setReasoning(records(), action, which, text));
  }

  function setTitle(subtask: string, title: string): void {
    gesture(english('Title subtask'), () => edit.setTitle(records(), subtask, title));
  }

  function setGoal(text: string): void {
    gesture(english('Set goal'), () => edit.setGoal(records(), text));
  }

  return { name, field, narrate, reason, setTitle, setGoal };
}
