import { oc } from '@orpc/contract';
import { z } from 'zod';
import { taskKindSchema } from '../task.ts';
import { TASK_STATES } from '../task-terms.ts';
import { command, commandField, commandList } from './command.ts';
import {
  attachmentSchema,
  personSchema,
  softwareSchema,
  taskRowSchema,
  taskSchema,
  taskToRecordSchema,
} from './models.ts';
import { taskTableSchema, taskTableWishesSchema } from './task-table.ts';

/** Software, people and tasks of a workspace. */
const text = (most: number) => z.string().max(most);
const ws = z.object({ ws: z.string() });
/** The person who asks: what is kept from them while they annotate blind is left out. */
const asker = z.string().min(1).optional();
const done = z.object({ ok: z.literal(true) });
const ofTask = ws.extend({ task: z.string() });

/** VideoGUI's own are media creation, media editing and media browsing (3.1). */
const category = commandField(
  text(60),
  'what it is for, such as "Media editing"; data set cards group by it',
  '--category <text>',
);
/** The fields that a task may be given from the beginning. */
const taskFields = {
  platform: commandField(text(100), 'the platform, in words'),
  sourceUrl: commandField(text(2000), 'the video that shows it', '--source <url>'),
  notes: commandField(text(10_000), 'anything else'),
  answer: commandField(text(10_000), 'the answer, if the task asks something'),
  kind: commandField(taskKindSchema, 'simple: one subtask by itself, without a high-level plan', '--kind <kind>'),
};
const goal = commandField(text(10_000), 'the goal, in words');

export const libraryContract = {
  software: {
    list: command('software list', 'list the applications with their task prefixes', [
      ['software list --workspace W', 'all of them'],
    ])
      .route({ method: 'GET', path: '/workspaces/{ws}/software', summary: 'Software of the library' })
      .input(ws)
      .output(z.array(softwareSchema)),
    add: command('software add <name>', 'add an application', [
      ['software add Krita --prefix KR --workspace W', 'with a prefix of your choice'],
      ['software add "Affinity Photo" --alias affinity --workspace W', 'with another name for it'],
    ])
      .route({ method: 'POST', path: '/workspaces/{ws}/software', summary: 'Add software' })
      .input(
        ws.extend({
          name: text(100),
          prefix: commandField(
            text(20),
            'the prefix of its task ids (PPT in PPT_15); made from the name when left out',
            '--prefix <letters>',
          ).optional(),
          id: commandField(text(60), 'made from the name when left out', '--id <id>').optional(),
          platforms: commandField(text(200), 'the platforms it runs on, in words').optional(),
          category: category.optional(),
          aliases: commandField(
            z.array(text(100)).max(50),
            'another name for it; may be given several times',
            '--alias <name>',
          ).optional(),
          executables: commandField(
            z.array(text(100)).max(50),
            "its executable's name; may be given several times",
            '--executable <name>',
          ).optional(),
        }),
      )
      .output(softwareSchema),
    update: command('software update <name:software>', 'set what an application is for', [
      ['software update gimp --category "Media editing" --workspace W', 'as the paper groups them'],
    ])
      .route({ method: 'PATCH', path: '/workspaces/{ws}/software/{software}', summary: 'Say what software is for' })
      .input(ws.extend({ software: z.string(), category }))
      .output(softwareSchema),
  },
  people: {
    /** By id or name, in any case. Throws USAGE with who there is. */
    find: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/people/{person}/id', summary: 'The person of this id or name' })
      .input(ws.extend({ person: z.string() }))
      .output(z.object({ id: z.string() })),
    list: command('people list', 'list everybody of the workspace', [['people list --workspace W', 'all of them']])
      .route({ method: 'GET', path: '/workspaces/{ws}/people', summary: 'People of the workspace' })
      .input(ws)
      .output(z.array(personSchema)),
    add: command('people add <name>', 'add a person', [
      ['people add "Ada Lovelace" --workspace W', 'one person'],
      ['people add "Ada Lovelace" --email ada@example.com --workspace W', 'with an address'],
    ])
      .route({ method: 'POST', path: '/workspaces/{ws}/people', summary: 'Add a person' })
      .input(
        ws.extend({
          name: text(100),
          email: commandField(text(200).nullable(), 'how to reach them', '--email <address>').default(null),
        }),
      )
      .output(personSchema),
  },
  tasks: {
    list: command('tasks list', 'list every task with its state and how many recordings it has', [
      ['tasks list --workspace W', 'all of them'],
      ['tasks --workspace W --json', 'for a script'],
    ])
      .route({ method: 'GET', path: '/workspaces/{ws}/tasks', summary: 'Every task, compact' })
      .input(ws.extend({ person: asker }))
      .output(z.array(taskRowSchema)),
    get: command('tasks show <id:task>', 'show a task with everything', [
      ['tasks show PPT_15 --workspace W', 'its goal, files and progress'],
    ])
      .route({ method: 'GET', path: '/workspaces/{ws}/tasks/{task}', summary: 'One task' })
      .input(ofTask.extend({ person: asker }))
      .output(taskSchema),
    create: command('tasks add', 'make a task', [
      ['tasks add --app powerpoint --goal "Insert a picture" --workspace W', 'the next free PPT number'],
    ])
      .route({ method: 'POST', path: '/workspaces/{ws}/tasks', summary: 'Make a task; without `id` the next free one' })
      .input(
        ws.extend({
          software: commandField(z.string(), 'its software', '--app <name>'),
          goal,
          id: commandField(text(60), 'such as PPT_15; the next free one when left out', '--id <id>').optional(),
          platform: taskFields.platform.default(''),
          sourceUrl: taskFields.sourceUrl.default(''),
          notes: taskFields.notes.default(''),
          answer: taskFields.answer.default(''),
          kind: taskFields.kind.default('full'),
        }),
      )
      .output(taskSchema),
    update: command('tasks update <id:task>', 'change a task: only what is given changes', [
      ['tasks update PPT_15 --state closed --workspace W', 'no more demonstrations of it'],
    ])
      .route({ method: 'PATCH', path: '/workspaces/{ws}/tasks/{task}', summary: 'Change a task' })
      .input(
        ofTask.extend({
          goal: goal.optional(),
          platform: taskFields.platform.optional(),
          sourceUrl: taskFields.sourceUrl.optional(),
          notes: taskFields.notes.optional(),
          answer: taskFields.answer.optional(),
          kind: taskFields.kind.optional(),
          state: commandField(
            z.enum(TASK_STATES),
            'closed: no more demonstrations are wanted',
            '--state <state>',
          ).optional(),
        }),
      )
      .output(taskSchema),
    /** All rows or none; `dryRun` says what would come of each. Throws BAD_FILE, USAGE, UNKNOWN_APP. */
    assign: command('tasks assign <id:task>', 'say who is to record a task; nobody named: anybody', [
      ['tasks assign PPT_15 --to Ana --workspace W', 'it is among the tasks that her studio shows'],
      ['tasks assign PPT_15 --workspace W', 'anybody may record it'],
    ])
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/tasks/{task}/recorders',
        summary: 'Say who is to record a task',
      })
      .input(
        ofTask.extend({
          people: commandList(
            z.array(text(200)).max(200).default([]),
            'a person, by id or name; may be given several times',
            '--to <name>',
          ),
        }),
      )
      .output(taskSchema),
    toRecord: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/to-record',
        summary: 'Open tasks that a person is to record, and those for anybody',
      })
      .input(ws.extend({ person: asker }))
      .output(z.array(taskToRecordSchema)),
    importTable: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/tasks/table',
        summary: 'Make tasks of a CSV table, or preview them',
      })
      .input(ws.extend(taskTableWishesSchema.shape))
      .output(taskTableSchema),
    /** Only a task without recordings. */
    remove: command('tasks remove <id:task>', 'remove a task that has no recordings and no files', [
      ['tasks remove PPT_15 --workspace W', 'one that nobody recorded'],
    ])
      .route({ method: 'DELETE', path: '/workspaces/{ws}/tasks/{task}', summary: 'Remove a task without recordings' })
      .input(ofTask)
      .output(done),
    detach: command('tasks detach <attachment>', 'remove a file that was added to a task', [
      ['tasks detach ID --workspace W', 'its id is in `tasks show`'],
    ])
      .route({ method: 'DELETE', path: '/workspaces/{ws}/attachments/{attachment}', summary: 'Remove an attachment' })
      .input(ws.extend({ attachment: z.string() }))
      .output(done),
    /** Read again for it, once; asked by a machine that has fetched the file. Throws UNKNOWN_FILE. */
    attachmentHash: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/attachments/{attachment}/sha256',
        summary: 'The SHA-256 of a file of a task',
      })
      .input(ws.extend({ attachment: z.string() }))
      .output(z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
    /** Files are sent to POST /files/{ws}/attachments?task=…&role=…&name=… as the body; this lists them. */
    attachments: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/tasks/{task}/attachments', summary: 'Files of a task' })
      .input(ofTask)
      .output(z.array(attachmentSchema)),
  },
};
