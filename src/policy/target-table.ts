/**
 * What each path asks of its subject. Read from the top: the first row that matches decides.
 *
 * Path patterns: `*` is one segment, or a part of one; `**` the rest of the path, nothing included;
 * `:camera` a segment that names a camera; `:known` a segment that is the name of a known camera.
 */
type Requirement =
  /** Answered without asking who. */
  | 'public'
  /** Any subject, any method: the endpoint itself acts on the subject's own account only. */
  | 'own-account'
  /** Any subject may read. What lists over several cameras is filtered by the upstream. */
  | 'neutral'
  | 'admin-only'
  /** Cannot be tied to cameras: closed to roles that are limited to some. */
  | 'unresolved'
  /** The segment `:camera` or `:known`. */
  | 'camera-in-path'
  /** Every value of the query parameter `src`, which names streams. */
  | 'camera-in-src';

export interface Row {
  /** Undefined: every method. */
  readonly methods?: readonly string[];
  readonly path: string;
  readonly requirement: Requirement;
}

export const targetTable: readonly Row[] = [
  // The gate's own endpoints.
  { methods: ['POST'], path: '/api/login', requirement: 'public' },
  { path: '/auth', requirement: 'own-account' },
  { path: '/logout', requirement: 'own-account' },
  { path: '/api/logout', requirement: 'own-account' },
  { path: '/api/profile', requirement: 'own-account' },
  { path: '/api/users/*/password', requirement: 'own-account' },
  { path: '/api/users/**', requirement: 'admin-only' },
  { path: '/api/roles/**', requirement: 'neutral' },

  // Administration of the recorder.
  { path: '/api/config/**', requirement: 'admin-only' },
  { path: '/api/restart/**', requirement: 'admin-only' },
  { path: '/api/logs/**', requirement: 'admin-only' },

  // Live streams.
  { path: '/live/jsmpeg/:camera', requirement: 'camera-in-path' },
  { path: '/live/**', requirement: 'camera-in-src' },
  { path: '/api/go2rtc/streams/:camera', requirement: 'camera-in-path' },
  { path: '/api/go2rtc/**', requirement: 'camera-in-src' },

  // Media files.
  { path: '/recordings/*/*/:camera/**', requirement: 'camera-in-path' },
  { path: '/recordings/**', requirement: 'unresolved' },
  { path: '/vod/:camera/start/**', requirement: 'camera-in-path' },
  { path: '/vod/clip/:camera/**', requirement: 'camera-in-path' },
  { path: '/vod/*/*/*/:camera/**', requirement: 'camera-in-path' },
  { path: '/vod/**', requirement: 'unresolved' },
  { path: '/clips/**', requirement: 'unresolved' },
  { path: '/exports/**', requirement: 'unresolved' },

  // The recorder's API.
  ...[
    '/api/event_ids',
    '/api/events',
    '/api/cameras',
    '/api/exports',
    '/api/labels',
    '/api/review',
    '/api/stats',
    '/api/sub_labels',
    '/api/timeline',
    '/api/version',
  ].map((path): Row => ({ path, requirement: 'neutral' })),
  { path: '/api/events/**', requirement: 'unresolved' },
  { path: '/api/export/:camera/**', requirement: 'camera-in-path' },
  { path: '/api/:known/**', requirement: 'camera-in-path' },
  { path: '/api/:camera/latest.*', requirement: 'camera-in-path' },
  { path: '/api/:camera/recordings/**', requirement: 'camera-in-path' },
  { path: '/api/:camera/start/**', requirement: 'camera-in-path' },
  // A camera that nobody configured would look like this too.
  { path: '/api/*/**', requirement: 'unresolved' },

  { path: '/**', requirement: 'neutral' },
];
