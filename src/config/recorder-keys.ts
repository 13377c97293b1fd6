/** Keys of the recorder's section `ui`, in the same releases as below. */
const recorderUiKeys = [
  'date_style',
  'live_mode',
  'strftime_fmt',
  'time_format',
  'time_style',
  'timezone',
  'unit_system',
  'use_experimental',
];

/**
 * Keys that recorders have inside sections of ours, and that Postern does not need. They are removed with a warning, so that
 * a recorder's own file can be used; any other unknown key is an error.
 */
export const recorderKeys: ReadonlyArray<readonly [path: readonly string[], why?: string]> = [
  [['auth', 'cookie_secure'], 'the cookie is Secure whenever the client uses TLS'],
  [['auth', 'hash_iterations'], 'passwords are hashed with 600,000 iterations'],
  [['auth', 'admin_first_time_login'], 'the login page knows by itself'],
  [['networking', 'ipv6'], 'a listener without a host is reachable by IPv4 and IPv6'],
  [['networking', 'listen', 'external'], 'the key is networking.listen.authenticated'],
  ...['enabled', 'email', 'cooldown', 'enabled_in_config'].map((key): readonly [readonly string[]] => [
    ['notifications', key],
  ]),
  // No warning: these concern only the look of the recorder's own UI.
  ...recorderUiKeys.map((key): readonly [readonly string[]] => [['ui', key]]),
];

/** @returns a copy of the document without those keys, and a warning for each that was there. */
export function withoutRecorderKeys(document: Record<string, unknown>): {
  readonly document: Record<string, unknown>;
  readonly warnings: readonly string[];
} {
  const copy = structuredClone(document);
  const warnings = recorderKeys
    .filter(([path]) => removeKey(copy, path))
    .flatMap(([path, why]) =>
      why === undefined ? [] : [`${path.join('.')} is a recorder's key and is ignored: ${why}`],
    );
  return { document: copy, warnings };
}

function removeKey(document: Record<string, unknown>, path: readonly string[]): boolean {
  const [key = '', ...rest] = path;
  if (!Object.hasOwn(document, key)) return false;
  const value = document[key];
  if (rest.length === 0) return Reflect.deleteProperty(document, key);
  return typeof value === 'object' && value !== null && removeKey(value as Record<string, unknown>, rest);
}

/** Top-level keys of the recorder's own schema, in its releases 0.12 to 0.18. They never count as misspelt keys of ours. */
export const recorderSections: ReadonlySet<string> = new Set([
  'active_profile',
  'audio',
  'audio_transcription',
  'auth',
  'birdseye',
  'camera_groups',
  'cameras',
  'classification',
  'database',
  'detect',
  'detectors',
  'environment_vars',
  'face_recognition',
  'ffmpeg',
  'genai',
  'go2rtc',
  'live',
  'logger',
  'lpr',
  'model',
  'motion',
  'mqtt',
  'networking',
  'notifications',
  'objects',
  'profiles',
  'proxy',
  'record',
  'review',
  'rtmp',
  'safe_mode',
  'semantic_search',
  'snapshots',
  'telemetry',
  'timestamp_style',
  'tls',
  'ui',
  'version',
]);
