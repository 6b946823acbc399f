import type { Page } from 'playwright-core';

/**
 * Everything in view that a person could not read or reach: texts that are cut without three dots and with no tooltip that
 * has the rest, controls that stand out of their window, controls that lie over another. One line each.
 */
export const cutIn = (page: Page): Promise<string[]> => page.evaluate(cutHere);

/** In the page. */
function cutHere(): string[] {
  const wrong = new Set<string>();
  const said = (one: Element): string =>
    `${one.tagName.toLowerCase()} “${(one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 50)}”`;
  /** Things for the screen reader alone, and things that are drawn in a picture or cut by what scrolls. */
  const hidden = (one: Element): boolean => {
    if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return true;
    const { width, height } = one.getBoundingClientRect();
    return width < 4 || height < 4;
  };
  const modal = document.querySelector('[role=dialog][aria-modal=true]');
  const all = [...(modal ?? document.body).querySelectorAll('*')];
  for (const one of all) {
    const own = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    if (!own || hidden(one) || one.closest('svg, canvas, select, [aria-hidden=true]')) continue;
    const style = getComputedStyle(one);
    const clips = style.overflowX === 'hidden' || style.overflowX === 'clip';
    // A part of a pixel too narrow, and dots stand where two letters had room.
    if (clips && style.textOverflow === 'ellipsis') {
      const text = document.createRange();
      text.selectNodeContents(one);
      const over = text.getBoundingClientRect().width - Number.parseFloat(style.width);
      if (one.matches('button *') && over > 0.01 && over < 2) wrong.add(`cut by ${over.toFixed(2)} px: ${said(one)}`);
    }
    // Lines that are cut at a number of lines keep their dots.
    const cut = one.scrollWidth > one.clientWidth + 1 && clips;
    if (!cut) continue;
    if (style.textOverflow !== 'ellipsis') wrong.add(`cut: ${said(one)}`);
    else if (!one.closest('[title]') && !one.closest('[role=row],[role=treeitem],[role=option],button,a')) {
      wrong.add(`the rest is nowhere: ${said(one)}`);
    }
  }
  // A row of words that is squeezed by what stands around it.
  for (const one of all) {
    const { overflowY, webkitLineClamp } = getComputedStyle(one);
    const isSqueezed = overflowY === 'hidden' && one.scrollHeight > one.clientHeight + 3 && webkitLineClamp === 'none';
    if (!isSqueezed || hidden(one) || one.closest('svg, canvas, textarea, [aria-hidden=true]')) continue;
    if (one.textContent?.trim()) wrong.add(`squeezed to ${one.clientHeight} of ${one.scrollHeight} px: ${said(one)}`);
  }
  const controls = all.filter(
    (one) =>
      one.matches('button, a[href], input:not([type=hidden]), select, textarea, [role=tab], [role=radio]') &&
      !hidden(one) &&
      !one.closest('[aria-hidden=true], canvas, [inert]'),
  );
  /** What is seen of it: the part that no scrolling box around it cuts. */
  const seen = (one: Element): DOMRect => {
    const box = one.getBoundingClientRect();
    let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
    for (let up = one.parentElement; up && up !== document.body; up = up.parentElement) {
      if (getComputedStyle(up).overflowX === 'visible' && getComputedStyle(up).overflowY === 'visible') continue;
      const room = up.getBoundingClientRect();
      [left, right] = [Math.max(left, room.left), Math.min(right, room.right)];
      [top, bottom] = [Math.max(top, room.top), Math.min(bottom, room.bottom)];
    }
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  };
  for (const one of controls) {
    const box = seen(one);
    const whole = one.getBoundingClientRect();
    if (whole.left < -1 || whole.right > innerWidth + 1) wrong.add(`out of the window: ${said(one)}`);
    if (box.width < 4 || box.height < 4) continue;
    // The middle of what is seen of it is its own, or a pointer could not press it.
    const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const mine = at === null || one.contains(at) || at.contains(one) || at.closest('label')?.contains(one) === true;
    if (!mine) wrong.add(`${said(one)} lies under ${said(at)}`);
  }
  return [...wrong];
}
