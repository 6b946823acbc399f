/** The frame under the pointer over the filmstrip, drawn beside React as the timeline is. Without `words` there is none. */
export function drawPreview(
  element: HTMLElement,
  shown: { x: number; width: number; bitmap: ImageBitmap | null; words: string | null | undefined },
): void {
  const { x, width, bitmap, words } = shown;
  element.hidden = words == null;
  const [canvas, text] = [element.querySelector('canvas'), element.querySelector('span')];
  if (words == null || !canvas || !text) return;
  text.textContent = words;
  canvas.hidden = bitmap === null;
  if (bitmap) {
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  }
  const half = element.offsetWidth / 2;
  element.style.left = `${Math.min(Math.max(x, half + 4), Math.max(width - half - 4, half + 4))}px`;
}
