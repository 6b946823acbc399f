/**
 * Whether an address's path is one of a page, whose pattern is written as the pages' router does: `/w/:ws/dataset/:view?`.
 * Both who serves pages and the pages themselves ask, before anything of the router is there.
 */
export function fitsPage(pattern: string, path: string): boolean {
  const [wanted, given] = [segmentsOf(pattern), segmentsOf(path)];
  return (
    given.length <= wanted.length &&
    wanted.every((part, at) => {
      const isThere = given[at] !== undefined;
      return part.startsWith(':') ? isThere || part.endsWith('?') : part === given[at];
    })
  );
}

const segmentsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');
