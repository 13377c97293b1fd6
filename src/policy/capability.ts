/** What a role may do with its cameras: the words of `may` in `auth.role_access`. */
export const capabilities = ['live', 'history', 'export', 'ptz'] as const;

/**
 * `live`: watch now. `history`: see what was recorded. `export`: save and download recordings as files. `ptz`: move cameras.
 */
export type Capability = (typeof capabilities)[number];

export type May = ReadonlySet<Capability>;

/** For admins, and for viewers unless the configuration narrows them. */
export const mayEverything: May = new Set(capabilities);

/** For custom roles unless the configuration sets them: to move a camera is granted, never assumed. */
export const mayByDefault: May = new Set(['live', 'history', 'export']);

export const mayNothing: May = new Set();

export function hasEverything(may: May): boolean {
  return may.size === capabilities.length;
}

/** @returns the capabilities that are in both; undefined limits nothing */
export function narrowMay(may: May, to: May | undefined): May {
  return to === undefined ? may : may.intersection(to);
}
