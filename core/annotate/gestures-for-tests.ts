import fc from 'fast-check';
import type { Change } from '../../schemas/annotation.ts';
import type { Step } from '../../schemas/api/models.ts';
import { type Records, toRecords } from './document.ts';
import {
  confirm,
  copyRecords,
  flag,
  mergeSubtask,
  moveEdge,
  moveKeyframe,
  nameElement,
  removeSteps,
  restoreSteps,
  setBox,
  setField,
  setGoal,
  setNarration,
  setReasoning,
  setTitle,
  splitSubtask,
  takeProposal,
} from './edit.ts';
import { initialRecords } from './initial.ts';

/** Any gesture that a person can make on a document of these steps, for the laws' tests. */
type Gesture = (records: Records, steps: readonly Step[]) => Change[];

export const begun = (steps: readonly Step[], marks: readonly number[] = []): Records =>
  toRecords(initialRecords(steps, marks, 'The goal'));

const box = fc.record({
  x: fc.nat(500),
  y: fc.nat(500),
  width: fc.integer({ min: 1, max: 300 }),
  height: fc.integer({ min: 1, max: 200 }),
});
const name = fc.oneof(
  fc.constantFrom('', ' ', 'Insert tab', 'OK  button'),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

/** Subtasks by their place, so that a gesture always meets one that is there. */
const subtaskAt = (records: Records, at: number): string => {
  const all = [...records.values()].filter(({ kind }) => kind === 'subtask');
  return all[at % all.length]!.id;
};

let made = 0;

export const gesture: fc.Arbitrary<Gesture> = fc
  .tuple(fc.nat(1000), fc.nat(1000), name, fc.boolean(), box, fc.integer({ min: 0, max: 16 }))
  .map(([at, other, text, yes, area, which]): Gesture => {
    return (records, steps) => {
      const [action, second] = [steps[at % steps.length]!.id, steps[other % steps.length]!.id];
      const gestures: (() => Change[])[] = [
        () => nameElement(records, action, text, 'hand'),
        () => setField(records, action, 'purpose', text),
        () => setField(records, action, 'text', yes ? text : null),
        () => setField(records, action, 'dragKind', yes ? 'movement' : null),
        () => setNarration(records, action, text),
        () => setReasoning(records, action, yes ? 'thought' : 'observation', text),
        () => confirm(records, action, yes),
        () => flag(records, action, yes),
        () => setBox(records, action, yes ? 'target' : 'end', text === '' ? null : area, 'hand', 1),
        () => takeProposal(records, action, { name: yes ? 'OK' : null, box: area, source: 'edges', confidence: 0.5 }),
        () => copyRecords(records, action, second),
        () => removeSteps(records, [action, second], 'mistake', text),
        () => restoreSteps(records, [action, second]),
        // Ids only need to be new; the counter makes no difference to what is tested.
        () => splitSubtask(records, steps, action, `subtask-${++made}`, text),
        () => mergeSubtask(records, steps, subtaskAt(records, other)),
        () => moveEdge(records, steps, subtaskAt(records, other), action),
        () =>
          yes
            ? moveKeyframe(records, action, 'before', { frame: at, t: at * 1000 })
            : [...setTitle(records, subtaskAt(records, other), text), ...setGoal(records, text)],
      ];
      return gestures[which]!();
    };
  });
