import { z } from 'zod';
import { notADevice } from './device-names.ts';

/** Forms of names that data brings: each is checked where the data comes in, and none of them can lead out of a folder. */

/** A refusal names what it refuses: who reads it must find the line. */
const says = (why: string) => ({
  error: ({ input }: { input?: unknown }): string => `"${String(input).slice(0, 100)}" ${why}`,
});

/** Names a folder in recordings/ and stands in addresses. */
export const recordingIdSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?$/,
    says(
      'cannot be a folder\'s name: a recording is called by up to 100 letters, digits, ".", "-" and "_", a letter or digit first and no "." last',
    ),
  )
  .refine(notADevice, says("cannot be a folder's name: Windows keeps it for a device"));

/** A segment of the master, inside its recording's folder. */
export const segmentFileSchema = z
  .string()
  .regex(
    /^screen(-\d{1,6})?\.mkv$/,
    says('is not a name that a video of it may have, which is screen.mkv, screen-1.mkv, …'),
  );

/** The playback copy, inside its recording's folder. */
export const playbackFileSchema = z
  .string()
  .regex(/^[\w-]{1,60}\.mp4$/, says('is not a name that a playback copy of it may have, such as screen.mp4'));

/** A still, inside the folder of its list. */
export const stillFileSchema = z
  .string()
  .regex(/^-?\w[\w-]{0,60}\.png$/, says('is not a name that a still may have, such as 1234567.png'));

/** A place inside the stage's home: no way leads out of it. */
export const homePathSchema = z
  .string()
  .min(1)
  .max(300)
  .regex(/^[^/\\\0][^\\\0]*$/, 'must be a path inside the home of the stage, with / between folders')
  .refine((path) => path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'), {
    message: 'must not contain empty parts, "." or ".."',
  });
