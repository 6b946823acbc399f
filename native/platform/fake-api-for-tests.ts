/** A system's functions of which a test gives some: calls are noted in `calls` as [name, ...arguments], and one that it does not give throws. */
export function fakeApi<Api extends object>(functions: Partial<Api>, calls: unknown[][] = []): Api {
  // Casts: the proxy has every function; which of them work is for the test to say.
  return new Proxy({} as Api, {
    get: (_target, name) => {
      const own = Reflect.get(functions, name) as ((...args: unknown[]) => unknown) | undefined;
      return (...args: unknown[]) => {
        calls.push([name, ...args]);
        if (own === undefined) throw new Error(`${String(name)} was not expected`);
        return own(...args);
      };
    },
  });
}
