/** Pages of the UI, below `/postern/`; those of the first edition stood at the root. Whoever is identified may read them. */
export const pages: readonly string[] = [
  '',
  'explore',
  'account',
  'account/api',
  'settings',
  'settings/users',
  'settings/roles',
  'settings/sessions',
  'settings/tokens',
  'settings/audit',
  'settings/configuration',
];

/** Pages that the first edition did not have: below `/postern/` alone. `:name` is any segment. */
export const laterPages = [
  'account/shares',
  'events/:id',
  'first-run',
  'live/:camera',
  'settings/roles/:name',
  'settings/shares',
] as const;

/** Paths that a recorder's own UI has too: the gate's only when there is no such recorder. */
export const sharedPaths = new Set(['/', '/explore', '/settings']);
