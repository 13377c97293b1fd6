/** Actions of a role with its cameras: the words of `may` in `auth.role_access`. */
export const capabilities = ['live', 'history', 'export', 'ptz', 'share', 'talk'] as const;

/**
 * `live`: watch now. `history`: see what was recorded. `export`: save and download recordings as files. `ptz`: move cameras. `share`:
 * make links by which anyone sees what the role sees. `talk`: speak through cameras.
 */
export type Capability = (typeof capabilities)[number];

export type May = ReadonlySet<Capability>;

/** For admins, and for viewers unless the configuration narrows them. */
export const mayEverything: May = new Set(capabilities);

/** For custom roles unless the configuration sets them: moving cameras, sharing and talking are granted, never assumed. */
export const mayByDefault: May = new Set(['live', 'history', 'export']);

export const mayNothing: May = new Set();

/** Words about what the gate does beside the recorder, whose answers are the same without them. */
const besideRecorder: May = new Set(['share', 'talk']);

/** Whether something of the recorder is withheld from a role, so that its requests and messages have to be read. */
export function isLimited(may: May): boolean {
  return capabilities.some((capability) => !may.has(capability) && !besideRecorder.has(capability));
}

/** @returns the capabilities that are in both; undefined limits nothing */
export function narrowMay(may: May, to: May | undefined): May {
  return to === undefined ? may : may.intersection(to);
}
