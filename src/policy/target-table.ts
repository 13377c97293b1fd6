/**
 * What each path asks of its subject. The first row that matches decides; this page is the whole of it.
 *
 * Path patterns, by segment: `*` is any one segment, or any part of one; `**` the rest of the path, nothing
 * included; `:camera` any segment, taken for the name of a camera; `:known` the name of a camera that the
 * configuration mentions; `:file`, `:event`, `:export` and `:review` any segment, by which a camera is found.
 */
export type Requirement =
  /** Answered without asking who. */
  | 'public'
  /** Any subject, any method: the endpoint itself acts on the subject's own account only. */
  | 'own-account'
  /** Any subject may read. */
  | 'any'
  /** Any subject may read; the cameras that `cameras` or `camera` of the query name, and the upstream filters the rest. */
  | 'list'
  | 'admin-only'
  /** Cannot be tied to cameras: closed to roles that are limited to some. */
  | 'unresolved'
  /** The segment `:camera` or `:known`. */
  | 'camera-in-path'
  /** The file name `:file`: `{camera}-{event id}`, with or without `thumb-` or `preview_` before it. */
  | 'camera-in-file'
  /** Every stream that `src` of the query names. */
  | 'camera-in-src'
  /** The event row of `:event`. */
  | 'camera-of-event'
  /** The event rows of `ids` of the query; ids that there are not open nothing. */
  | 'camera-of-events'
  /** The export row of `:export`: its id, or the name of its video or thumbnail. */
  | 'camera-of-export'
  /** The review row of `:review`. */
  | 'camera-of-review';

export interface Row {
  /** Undefined: every method. */
  readonly methods?: readonly string[];
  readonly path: string;
  /** The row is for paths that contain this text. */
  readonly having?: string;
  readonly requirement: Requirement;
  /** Whoever may read the target may use the row's methods on it, even those that change something. */
  readonly changes?: true;
  /** Closed to API tokens, which could make themselves permanent or wider by it. */
  readonly byLogin?: true;
  /**
   * Of a list: the one parameter of the query by which the upstream filters it, so that nothing of other cameras is in the
   * answer. Without it, the list is closed to tokens that are narrowed to cameras.
   */
  readonly filter?: 'camera' | 'cameras';
  /** Of what names no camera: it tells nothing of any, or only of those of the subject. */
  readonly tellsOfNone?: true;
  /**
   * Of what changes something: nothing in the body says of what, so that the path says it all. Without it, the row is closed to
   * tokens that are narrowed to cameras: an export may be given a picture of another camera, for one.
   */
  readonly pathSaysAll?: true;
}

/** Rows that no rule of the operator comes before: secrets, and what changes them. */
export const lockedRows: readonly Row[] = [
  // The gate's own endpoints.
  { methods: ['GET', 'HEAD', 'POST'], path: '/api/login', requirement: 'public' },
  { methods: ['GET', 'HEAD'], path: '/login', requirement: 'public' },
  { methods: ['GET', 'HEAD'], path: '/postern/assets/*', requirement: 'public' },
  { path: '/auth', requirement: 'own-account' },
  { path: '/logout', requirement: 'own-account' },
  { path: '/api/logout', requirement: 'own-account' },
  { path: '/api/profile', requirement: 'own-account' },
  { path: '/api/users/*/password', requirement: 'own-account', byLogin: true },
  { methods: ['GET', 'HEAD'], path: '/api/users/**', requirement: 'admin-only' },
  { path: '/api/users/**', requirement: 'admin-only', byLogin: true },
  { path: '/api/explain/**', requirement: 'admin-only' },
  { path: '/api/sessions/**', requirement: 'own-account', byLogin: true },
  { path: '/api/tokens/**', requirement: 'own-account', byLogin: true },
  { path: '/api/audit/**', requirement: 'admin-only' },
  { path: '/api/configuration/**', requirement: 'admin-only' },
  { methods: ['GET', 'HEAD'], path: '/api/openapi.json', requirement: 'any', tellsOfNone: true },
  { methods: ['GET', 'HEAD'], path: '/api/roles', requirement: 'any' },
  { methods: ['GET', 'HEAD', 'PUT'], path: '/api/roles/**', requirement: 'admin-only' },
  // To remove a role makes its users viewers.
  { path: '/api/roles/**', requirement: 'admin-only', byLogin: true },

  // Configuration with passwords of cameras in it, and logs.
  { path: '/api/config/*/**', requirement: 'admin-only' },
  { path: '/api/logs/**', requirement: 'admin-only' },
  { path: '/api/go2rtc/api/config', requirement: 'admin-only' },
  { path: '/api/go2rtc/api/streams', requirement: 'admin-only' },
  { path: '/api/go2rtc/streams', requirement: 'admin-only' },
];

export const recorderRows: readonly Row[] = [
  // Administration.
  { path: '/api/config', requirement: 'admin-only' },
  { path: '/api/restart/**', requirement: 'admin-only' },
  { path: '/api/ffprobe/**', requirement: 'admin-only' },
  { path: '/api/onvif/**', requirement: 'admin-only' },
  { path: '/api/reolink/**', requirement: 'admin-only' },
  { path: '/api/vainfo', requirement: 'admin-only' },
  { path: '/api/nvinfo', requirement: 'admin-only' },
  { path: '/api/faces/**', requirement: 'admin-only' },
  { path: '/api/classification/**', requirement: 'admin-only' },
  { path: '/api/keyframe_analysis/**', requirement: 'admin-only' },
  { path: '/api/media/sync/**', requirement: 'admin-only' },

  // Live streams. A WebRTC or MSE offer is a POST that changes nothing.
  { path: '/ws', requirement: 'any' },
  { path: '/live/jsmpeg/:camera', requirement: 'camera-in-path' },
  { path: '/live/*/api/ws', requirement: 'camera-in-src' },
  { path: '/live/*/*', requirement: 'camera-in-src' },
  { path: '/live/**', requirement: 'unresolved' },
  { path: '/api/go2rtc/streams/:camera', requirement: 'camera-in-path' },
  ...['/api/go2rtc', '/api/go2rtc/api'].flatMap((base): Row[] => [
    {
      methods: ['POST'],
      path: `${base}/webrtc`,
      requirement: 'camera-in-src',
      changes: true,
      pathSaysAll: true,
    },
    { path: `${base}/webrtc`, requirement: 'camera-in-src' },
    { path: `${base}/ws`, requirement: 'camera-in-src' },
    { path: `${base}/stream.*`, requirement: 'camera-in-src' },
    { path: `${base}/frame.*`, requirement: 'camera-in-src' },
  ]),
  { path: '/api/go2rtc/**', requirement: 'admin-only' },

  // Where a recorder keeps segments of streams that it repackages, whatever camera they are of.
  { path: '/stream/**', requirement: 'unresolved' },

  // Recordings and video on demand. A comma would make one URI stand for several files.
  { path: '/recordings/*/*/:camera/**', requirement: 'camera-in-path' },
  { path: '/recordings/**', requirement: 'unresolved' },
  { path: '/vod/**', having: ',', requirement: 'unresolved' },
  { path: '/vod/:camera/start/**', requirement: 'camera-in-path' },
  { path: '/vod/clip/:camera/**', requirement: 'camera-in-path' },
  { path: '/vod/event/:event/**', requirement: 'camera-of-event' },
  { path: '/vod/:camera/*/start/**', requirement: 'camera-in-path' },
  { path: '/vod/*/*/*/:camera/**', requirement: 'camera-in-path' },
  { path: '/vod/**', requirement: 'unresolved' },

  // Clips, thumbnails and exports.
  { path: '/clips/faces/**', requirement: 'admin-only' },
  { path: '/clips/train/**', requirement: 'admin-only' },
  { path: '/clips/*/train/**', requirement: 'admin-only' },
  { path: '/clips/*/dataset/**', requirement: 'admin-only' },
  { path: '/clips/thumbs/:camera/*', requirement: 'camera-in-path' },
  { path: '/clips/previews/:camera/*', requirement: 'camera-in-path' },
  { path: '/clips/review/:file', requirement: 'camera-in-file' },
  { path: '/clips/export/:export', requirement: 'camera-of-export' },
  { path: '/clips/:file', requirement: 'camera-in-file' },
  { path: '/clips/**', requirement: 'unresolved' },
  { path: '/exports/:export', requirement: 'camera-of-export' },
  { path: '/exports/**', requirement: 'unresolved' },

  // What a viewer may change: mark as reviewed, which a recorder keeps for each user, and start an export.
  { methods: ['POST'], path: '/api/reviews/viewed', requirement: 'any', changes: true },
  {
    methods: ['DELETE'],
    path: '/api/review/:review/viewed',
    requirement: 'camera-of-review',
    changes: true,
    pathSaysAll: true,
  },
  { methods: ['POST'], path: '/api/export/:camera/start/**', requirement: 'camera-in-path', changes: true },

  // Events, reviews, previews and exports by API. A search compares with an event of any camera, and the summaries and lists
  // without a filter are of all.
  { path: '/api/event_ids', requirement: 'camera-of-events' },
  { path: '/api/events', requirement: 'list', filter: 'cameras' },
  { path: '/api/events/explore', requirement: 'list' },
  { path: '/api/events/search', requirement: 'list' },
  { path: '/api/events/summary', requirement: 'list' },
  { path: '/api/events/:event/**', requirement: 'camera-of-event' },
  { path: '/api/review', requirement: 'list', filter: 'cameras' },
  { path: '/api/review/summary', requirement: 'list', filter: 'cameras' },
  { path: '/api/review/activity/*', requirement: 'list', filter: 'cameras' },
  { path: '/api/review/event/:event', requirement: 'camera-of-event' },
  { path: '/api/review/:review/**', requirement: 'camera-of-review' },
  { path: '/api/preview/:file/thumbnail.*', requirement: 'camera-in-file' },
  { path: '/api/preview/:camera/start/**', requirement: 'camera-in-path' },
  { path: '/api/preview/*/*/*/:camera/**', requirement: 'camera-in-path' },
  { path: '/api/exports', requirement: 'list' },
  { path: '/api/exports/:export', requirement: 'camera-of-export' },
  { path: '/api/export/:camera/**', requirement: 'camera-in-path' },

  // Lists over several cameras.
  { path: '/api/cameras', requirement: 'any', tellsOfNone: true },
  { path: '/api/labels', requirement: 'list', filter: 'camera' },
  { path: '/api/recordings/summary', requirement: 'list', filter: 'cameras' },
  { path: '/api/recordings/unavailable', requirement: 'list', filter: 'cameras' },
  { path: '/api/stats', requirement: 'any' },
  { path: '/api/sub_labels', requirement: 'list' },
  { path: '/api/timeline', requirement: 'list', filter: 'camera' },
  { path: '/api/timeline/hourly', requirement: 'list', filter: 'cameras' },
  { path: '/api/version', requirement: 'any', tellsOfNone: true },
  { path: '/api', requirement: 'any' },

  // Everything below a camera; a camera that nobody configured would look like the row after it.
  { path: '/api/:known/**', requirement: 'camera-in-path' },
  { path: '/api/*/**', requirement: 'unresolved' },

  { path: '/**', requirement: 'any' },
];
