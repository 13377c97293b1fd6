/** Order matters: most browsers also name the ones before them. */
const browsers: ReadonlyArray<readonly [name: string, sign: RegExp]> = [
  ['Edge', /\bEdgA?(?:iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\bCriOS\/|Chrome\//],
  ['Safari', /\bVersion\/[\d.]+ .*Safari\//],
];
const systems: ReadonlyArray<readonly [name: string, sign: RegExp]> = [
  ['Windows', /Windows NT/],
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['macOS', /Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
];

/**
 * @param agent `User-Agent`, which a client can forge
 * @returns only names from the lists above; undefined unless both are clear
 */
export function browserOf(agent: string): { readonly browser: string; readonly system: string } | undefined {
  if (!agent.startsWith('Mozilla/')) return undefined;
  const nameIn = (table: typeof browsers) => table.find(([, sign]) => sign.test(agent))?.[0];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  return browser === undefined || system === undefined ? undefined : { browser, system };
}
