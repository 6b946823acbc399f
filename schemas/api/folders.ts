import { oc } from '@orpc/contract';
import { z } from 'zod';

/** Entries of a folder that one answer names at most. */
export const MOST_LISTED = 2000;

const path = z.string().max(4096);

const folderListSchema = z.object({
  /** The folder that is listed, from the root on, with a separator at its end: a path is this and a name. */
  dir: z.string(),
  /** The folder above it, written the same way; null at the root. */
  parent: z.string().nullable(),
  /** The user's home, written the same way. */
  home: z.string(),
  /** Folders first, then files, each in the order of their names. */
  entries: z
    .array(
      z.object({
        name: z.string(),
        kind: z.enum(['folder', 'file']),
        /** A link to one, which may lead elsewhere. */
        link: z.boolean(),
      }),
    )
    .max(MOST_LISTED),
  /** How many there are that fit, those included that the answer has no room for. */
  fitting: z.int(),
  /** False: the folder is so large that it was not read to its end. */
  whole: z.boolean(),
  /** Left out because their names begin with a dot. */
  hidden: z.int(),
  /** Left out because a field cannot hold their names: control characters, a space at an end, letters that are no UTF-8. */
  untypable: z.int(),
});
export type FolderList = z.infer<typeof folderListSchema>;

/**
 * Folders of the studio's machine, to choose a path by. Only what can be asked from this machine alone lists them; `workspaces`
 * opens any folder by its path, so who is let in there learns nothing new here.
 */
export const foldersContract = {
  folders: {
    listed: oc
      .route({ method: 'GET', path: '/folders', summary: 'Whether folders of the machine are listed here' })
      .output(z.object({ listed: z.boolean() })),
    /**
     * `typed`: a path as far as it was typed, `~` for the home; nothing: the home. What follows its last separator is the
     * beginning of the names that are wanted, a dot first for hidden ones. Throws FORBIDDEN where none are listed, USAGE for no
     * whole path, UNKNOWN_FILE, NO_PERMISSION or BAD_FILE for a folder that cannot be read.
     */
    list: oc
      .route({ method: 'POST', path: '/folders/list', summary: 'What is in a folder of the machine' })
      .input(
        z.object({
          typed: path.default(''),
          /** Where there is no such folder: the nearest one above it, and all of its names. */
          orAbove: z.boolean().default(false),
          /** Ends of the names of files that are wanted (`.tar`), in any case; none: folders alone. */
          endings: z
            .array(z.string().regex(/^\.[a-z0-9]{1,10}$/))
            .max(20)
            .default([]),
        }),
      )
      .output(folderListSchema),
  },
};
