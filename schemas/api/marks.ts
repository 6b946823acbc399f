import { z } from 'zod';
import { givenWordsSchema, markSchema } from '../marks.ts';
import { command } from './command.ts';

/** Marks of a recording: moments, and ends of subtasks, that a person marked while it was made. */
const ofRecording = z.object({ ws: z.string(), recording: z.string() });
const ofMark = ofRecording.extend({ number: z.coerce.number().int().min(1) });
const answer = z.object({ marks: z.array(markSchema) });

export const marksContract = {
  marks: {
    list: command('marks list <id:recording>', 'the marks of a recording, with their words', [
      ['marks list 2026 --workspace W', 'a table'],
      ['marks list 2026 --workspace W --json', 'for a script'],
    ])
      .route({ method: 'GET', path: '/workspaces/{ws}/recordings/{recording}/marks', summary: 'Marks of a recording' })
      .input(ofRecording)
      .output(answer),
    /** Throws USAGE for a number that there is not. */
    name: command('marks name <id:recording> <number> <words>', 'give a mark words, or others; "" takes them away', [
      ['marks name 2026 1 "here the export went wrong" --workspace W', 'the first mark'],
    ])
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/recordings/{recording}/marks/{number}',
        summary: 'Give a mark words',
      })
      .input(ofMark.extend({ words: givenWordsSchema }))
      .output(answer),
    /** It is listed and shown no more; what was recorded stays. Throws USAGE for a number that there is not. */
    remove: command('marks remove <id:recording> <number>', 'take a mark away; the steps stay as they are', [
      ['marks remove 2026 1 --workspace W', 'the first mark'],
    ])
      .route({
        method: 'DELETE',
        path: '/workspaces/{ws}/recordings/{recording}/marks/{number}',
        summary: 'Take a mark away',
      })
      .input(ofMark)
      .output(answer),
  },
};
