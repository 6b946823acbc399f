import sharp from 'sharp';

/** Where a picture is red, as a model that sees it would say: the middle, as shares of its width and height. */
export async function redIn(base64: string): Promise<[number, number]> {
  const { data, info } = await sharp(Buffer.from(base64, 'base64'))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let [count, x, y] = [0, 0, 0];
  for (let at = 0; at < data.length; at += 3)
    if (data[at]! > 180 && data[at + 1]! < 80) {
      count++;
      x += (at / 3) % info.width;
      y += Math.floor(at / 3 / info.width);
    }
  return [x / count / info.width, y / count / info.height];
}
