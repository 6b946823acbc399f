import { basename, dirname, sep } from 'node:path';
import { StudioError } from '../../../schemas/errors.ts';
import { listFolder, nearestFolder } from '../../files/list-folder.ts';
import { typedPath } from '../../session/recent.ts';
import { api } from './base.ts';

/** Folders of this machine, to choose a path by: for who sits at it, whoever may open a workspace by its path. */
export const folderRoutes = {
  folders: {
    listed: api.folders.listed.handler(({ context }) => ({ listed: context.isLocal })),
    list: api.folders.list.handler(async ({ context, input: { typed, orAbove, endings } }) => {
      if (!context.isLocal) {
        const message =
          'This studio lets other machines of the network in, so it does not list the folders of its own. Type the whole path.';
        throw new StudioError('FORBIDDEN', message, {});
      }
      const { dir, starts } = splitTyped(typed);
      const at = orAbove ? await nearestFolder(dir) : dir;
      return listFolder(at, { starts: at === dir ? starts : '', endings });
    }),
  },
};

/** A path as far as it was typed: the folder, and the beginning of a name in it. A last dot begins a hidden name. */
export function splitTyped(typed: string): { dir: string; starts: string } {
  const text = typed.trim() === '' ? '~' : typed.trim();
  const path = typedPath(text, 'typed');
  const last = text.split(sep === '/' ? '/' : /[/\\]/).at(-1) ?? '';
  if (last === '.') return { dir: path, starts: '.' };
  return ['', '..', '~'].includes(last) ? { dir: path, starts: '' } : { dir: dirname(path), starts: basename(path) };
}
