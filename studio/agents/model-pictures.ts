import { createHash } from 'node:crypto';
import type { ModelPicture } from '../../schemas/model-requests.ts';
import { checkedPicture } from '../files/picture.ts';

/** Pictures of a recording as models are shown them: PNG, named by their hash. Those that were read are put into `pictures`. */
export function pictureLoader(
  pictures: Map<string, Buffer>,
): (path: string | undefined) => Promise<ModelPicture | null> {
  const known = new Map<string, ModelPicture>();
  return async (path) => {
    if (path === undefined) return null;
    const before = known.get(path);
    if (before) return before;
    const { picture, width, height } = await checkedPicture(path);
    const png = await picture.png().toBuffer();
    const sha256 = createHash('sha256').update(png).digest('hex');
    pictures.set(sha256, png);
    const shown = { sha256, width, height };
    known.set(path, shown);
    return shown;
  };
}
