/** Apart from the judge itself, whose readers of answers a page need not load. */

/** So many pictures go in one request; more are looked at in parts first. */
export const PICTURES_OF_PART = 8;

/** The most requests that one judge takes for so many pictures. */
export const mostRequests = (pictures: number): number => {
  const parts = Math.ceil(pictures / PICTURES_OF_PART);
  return 2 * (2 + (parts > 1 ? parts : 0));
};
