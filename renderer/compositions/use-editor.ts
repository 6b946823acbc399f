import { useLayoutEffect, useRef, useState } from 'react';
import {
  addMembers,
  changeMember,
  emptyMember,
  moveMember,
  removeMember,
  withEdge,
  withPlatform,
} from '../../core/compositions/edit.ts';
import { addEvent, changeEvent, moveEvent, newHappening, removeEvent } from '../../core/compositions/edit-events.ts';
import { addGiven } from '../../core/compositions/edit-given.ts';
import { addStage } from '../../core/compositions/edit-stages.ts';
import { GIVEN, slotKey, type TextSlot } from '../../core/compositions/slots.ts';
import type { Member } from '../../schemas/composition.ts';
import type { InstructionLevel } from '../../schemas/instruction-levels.ts';
import { COMPOSITION_LIMITS } from '../../schemas/limits.ts';
import { isField } from '../ui/keys/listen.ts';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { useEditing } from './editing.ts';
import type { SlotPlace } from './member-form.tsx';
import { withOutput } from './outputs-form.tsx';
import { mayTake, withFile } from './takes-form.tsx';

export type EditorActs = {
  /** The row that is chosen: 0 is the composition itself, then its members, then its events. */
  at: number;
  onChoose: (at: number) => void;
  onSave: () => void;
  onUndo: () => void;
  onRedo: () => void;
  onBack: () => void;
};
/** The last of the rows of one kind, or a place in a text. */
type Place =
  | { row: 'name' | 'output' | 'platform' | 'happening' | 'given' | 'stage' | 'take' }
  | { level: InstructionLevel; caret: number };

/**
 * The focus and the caret of the editor: where they are put once what was added is drawn, and before the next key is heard.
 */
function useFocus(at: number, isOpen: boolean) {
  const form = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLElement>(null);
  const place = useRef<() => SlotPlace>(atEnd);
  const next = useRef<Place | null>(null);
  useLayoutEffect(() => {
    place.current = atEnd;
    form.current?.scrollTo(0, 0);
    if (list.current?.contains(document.activeElement))
      list.current.querySelectorAll<HTMLElement>('ol button')[at]?.focus();
  }, [at]);
  useLayoutEffect(() => {
    if (isOpen || next.current === null) return;
    const to = next.current;
    next.current = null;
    if ('level' in to) {
      const text = form.current?.querySelector<HTMLTextAreaElement>(`textarea[data-level="${to.level}"]`);
      text?.focus();
      text?.setSelectionRange(to.caret, to.caret);
    } else {
      const rows = form.current?.querySelectorAll<HTMLElement>(`[data-row="${to.row}"]`) ?? [];
      // In a choice it is the one that is taken: the arrows go on from there.
      const first = to.row === 'happening' ? 'input:checked' : 'input';
      const field = [...rows].at(-1)?.querySelector<HTMLInputElement>(first);
      field?.focus();
      field?.select();
    }
  });
  return {
    form,
    list,
    /** The text that was written in last. */
    place,
    /** Once it is drawn. */
    goTo: (to: Place): void => {
      next.current = to;
    },
    toFields: (): void =>
      form.current?.querySelector<HTMLElement>('textarea:not([aria-hidden]), input:not([type=hidden])')?.focus(),
    toList: (): void => list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus(),
  };
}

/** Until somebody writes in a text: the end of the first one. */
const atEnd = (): SlotPlace => ({ level: 'base', at: Number.POSITIVE_INFINITY });

/** The work of the editor's keys and buttons. */
export function useEditor({ at, onChoose, onSave, onUndo, onRedo, onBack }: EditorActs) {
  const { composition, change, isLocked } = useEditing();
  const { members, events = [] } = composition;
  const member = members[at - 1];
  const event = events[at - 1 - members.length];
  const last = members.length + events.length;
  const [open, setOpen] = useState<'add' | 'join' | 'slot' | null>(null);
  const focus = useFocus(at, open !== null);
  const { goTo } = focus;
  /** Where tasks are put in, one after another. */
  const insertAt = useRef(at);
  const has = member !== undefined && !isLocked;
  const hasRow = has || (event !== undefined && !isLocked);
  const mayAddEvent = !isLocked && composition.kind === 'scenario' && events.length < COMPOSITION_LIMITS.events;
  const mayAddHappening = !isLocked && event !== undefined && event.happens.length < COMPOSITION_LIMITS.happenings;
  const mayAdd = !isLocked && members.length < COMPOSITION_LIMITS.members;
  const mayAddGiven = !isLocked && composition.context.given.length < COMPOSITION_LIMITS.given;
  const mayAddStage = !isLocked && (composition.stages ?? []).length < COMPOSITION_LIMITS.stages;
  const back = (): void => {
    const focused = document.activeElement;
    if (focused && (isField(focused) || focus.form.current?.contains(focused))) focus.toList();
    else onBack();
  };
  const add = (kind: 'task' | 'none'): void => {
    if (kind === 'task') {
      insertAt.current = Math.min(at, members.length);
      setOpen('add');
      return;
    }
    goTo({ row: 'name' });
    const to = Math.min(at, members.length);
    change(addMembers(composition, [emptyMember(composition.kind)], to));
    onChoose(to + 1);
  };
  const addTasks = (added: readonly Member[]): void => {
    const to = insertAt.current;
    insertAt.current += added.length;
    change((now) => addMembers(now, added, to));
    onChoose(insertAt.current);
  };
  const remove = (): void => {
    if (member) {
      change(removeMember(composition, member.id));
      onChoose(Math.min(at, members.length - 1));
    } else if (event) {
      change(removeEvent(composition, event.id));
      onChoose(Math.min(at, last - 1));
    }
  };
  const move = (by: number): void => {
    if (member) {
      change(moveMember(composition, member.id, by));
      onChoose(Math.max(1, Math.min(at + by, members.length)));
    } else if (event) {
      change(moveEvent(composition, event.id, by));
      onChoose(Math.max(members.length + 1, Math.min(at + by, last)));
    }
  };
  /** After the event that is chosen; with a task chosen as the last one, after that task. */
  const addEventHere = (): void => {
    const to = event ? at - members.length : events.length;
    change(addEvent(composition, to, member?.id ?? null));
    goTo({ row: 'name' });
    onChoose(members.length + to + 1);
  };
  const addHappening = (): void => {
    if (!event) return;
    change(changeEvent(composition, event.id, { happens: [...event.happens, newHappening('notification')] }));
    goTo({ row: 'happening' });
  };
  const addOutput = (): void => {
    if (!member) return;
    change(changeMember(composition, member.id, withOutput(member)));
    goTo({ row: 'output' });
  };
  const addPlatform = (): void => {
    if (!member) return;
    change(changeMember(composition, member.id, withPlatform(member)));
    goTo({ row: 'platform' });
  };
  const addFile = (): void => {
    if (!member) return;
    change(changeMember(composition, member.id, withFile(composition, member)));
    goTo({ row: 'take' });
  };
  /** Adds a part of the composition itself, and opens its row. */
  const addOfWhole = (row: 'given' | 'stage'): void => {
    change(row === 'given' ? addGiven(composition) : addStage(composition));
    goTo({ row });
    onChoose(0);
  };
  const putIn = (slot: TextSlot): void => {
    if (!member) return;
    const { level, at: from } = focus.place.current();
    const text = member.instructions[level] ?? '';
    const words = `{{${slotKey(slot)}}}`;
    const start = Math.min(from, text.length);
    const instructions = {
      ...member.instructions,
      [level]: `${text.slice(0, start)}${words}${text.slice(start)}`,
    };
    const said = changeMember(composition, member.id, { instructions });
    // Whoever asks for an answer of another task can only come after it.
    change(
      slot.of === GIVEN ? said : withEdge(said, { kind: 'data', from: slot.of, to: member.id, output: slot.output }),
    );
    goTo({ level, caret: start + words.length });
  };
  useHandlers('compose', {
    'compose.down': () => onChoose(Math.min(at + 1, last)),
    'compose.up': () => onChoose(Math.max(at - 1, 0)),
    'compose.fields': focus.toFields,
    'compose.add': { run: () => add('task'), enabled: mayAdd },
    'compose.make': { run: () => add('none'), enabled: mayAdd },
    'compose.moveDown': { run: () => move(1), enabled: hasRow },
    'compose.moveUp': { run: () => move(-1), enabled: hasRow },
    'compose.remove': { run: remove, enabled: hasRow },
    'compose.join': { run: () => setOpen('join'), enabled: has },
    'compose.slot': { run: () => setOpen('slot'), enabled: has },
    'compose.event': { run: addEventHere, enabled: mayAddEvent },
    'compose.happening': { run: addHappening, enabled: mayAddHappening },
    'compose.output': { run: addOutput, enabled: has },
    'compose.platform': { run: addPlatform, enabled: has },
    'compose.take': { run: addFile, enabled: has && mayTake(composition, member) },
    'compose.given': { run: () => addOfWhole('given'), enabled: mayAddGiven },
    'compose.stage': { run: () => addOfWhole('stage'), enabled: mayAddStage },
    'compose.save': { run: onSave, enabled: !isLocked },
    'compose.undo': onUndo,
    'compose.redo': onRedo,
    'compose.back': back,
  });
  return {
    member,
    event,
    mayAddEvent,
    addEventHere,
    addHappening,
    addOfWhole,
    open,
    setOpen,
    focus,
    mayAdd,
    add,
    addTasks,
    addOutput,
    addPlatform,
    addFile,
    remove,
    move,
    putIn,
  };
}
