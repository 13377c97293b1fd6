/** What a program of ours has of the environment of the tests. */
export function programEnvironment(): Record<string, string | undefined> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}
