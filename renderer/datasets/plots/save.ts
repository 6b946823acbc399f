const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** A plot as a file of its own: dark ink on white, whatever the page's scheme is. */
export function svgText(plot: SVGSVGElement): string {
  const copy = plot.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new Error('The copy of a plot is not a plot.');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('color', '#1c2029');
  copy.removeAttribute('class');
  const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of [
    ['width', '100%'],
    ['height', '100%'],
    ['fill', '#ffffff'],
  ] as const)
    paper.setAttribute(name, value);
  copy.prepend(paper);
  return XML + new XMLSerializer().serializeToString(copy);
}
