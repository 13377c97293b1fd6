/**
 * What each path asks of an identity. The first rule that matches decides: the rules of the gate's own endpoints
 * (`api/routes.ts`), the locked ones, those of the operator, and those of the recorder.
 *
 * Path patterns, by segment: `*` is any one segment, or any part of one; `**` the rest of the path, nothing
 * included; `:camera` any segment, taken for the name of a camera; `:known` the name of a camera that the
 * configuration mentions; `:file`, `:event`, `:export` and `:review` any segment, by which a camera is found.
 */
export type AccessLevel =
  /** Answered without asking who. */
  | 'public'
  /** Any identity, any method: the endpoint itself acts on the identity's own account only. */
  | 'own-account'
  /** Any identity may read. */
  | 'any'
  /** Any identity may read; the cameras that `cameras` or `camera` of the query name, and the upstream filters the rest. */
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

export interface AccessRule {
  /** Undefined: every method. */
  readonly methods?: readonly string[];
  readonly path: string;
  /** The rule is for paths that contain this text. */
  readonly having?: string;
  readonly level: AccessLevel;
  /** Whoever may read the resource may use the rule's methods on it, even those that change something. */
  readonly changes?: true;
  /** Closed to API tokens, which could make themselves permanent or wider by it. */
  readonly requiresSession?: true;
  /**
   * Of a list: the one parameter of the query by which the upstream filters it, so that nothing of other cameras is in the
   * answer. Without it, the list is closed to tokens that are limited to cameras.
   */
  readonly filter?: 'camera' | 'cameras';
  /** Of what names no camera: it tells nothing of any, or only of those of the identity. */
  readonly namesNoCamera?: true;
  /**
   * Of what changes something: nothing in the body says of what, so that the path says it all. Without it, the rule is closed to
   * tokens that are limited to cameras: an export may be given a picture of another camera, for one.
   */
  readonly bodyless?: true;
}

/** Rules that no rule of the operator comes before: secrets of the recorder, and what changes them. */
export const lockedRules: readonly AccessRule[] = [
  // Configuration with passwords of cameras in it, and logs.
  { path: '/api/config/*/**', level: 'admin-only' },
  { path: '/api/logs/**', level: 'admin-only' },
  { path: '/api/go2rtc/api/config', level: 'admin-only' },
  { path: '/api/go2rtc/api/streams', level: 'admin-only' },
  { path: '/api/go2rtc/streams', level: 'admin-only' },
];

export const recorderRules: readonly AccessRule[] = [
  // Administration.
  { path: '/api/config', level: 'admin-only' },
  { path: '/api/restart/**', level: 'admin-only' },
  { path: '/api/ffprobe/**', level: 'admin-only' },
  { path: '/api/onvif/**', level: 'admin-only' },
  { path: '/api/reolink/**', level: 'admin-only' },
  { path: '/api/vainfo', level: 'admin-only' },
  { path: '/api/nvinfo', level: 'admin-only' },
  { path: '/api/faces/**', level: 'admin-only' },
  { path: '/api/classification/**', level: 'admin-only' },
  { path: '/api/keyframe_analysis/**', level: 'admin-only' },
  { path: '/api/media/sync/**', level: 'admin-only' },

  // Live streams. A WebRTC or MSE offer is a POST that changes nothing.
  { path: '/ws', level: 'any' },
  { path: '/live/jsmpeg/:camera', level: 'camera-in-path' },
  { path: '/live/*/api/ws', level: 'camera-in-src' },
  { path: '/live/*/*', level: 'camera-in-src' },
  { path: '/live/**', level: 'unresolved' },
  { path: '/api/go2rtc/streams/:camera', level: 'camera-in-path' },
  ...['/api/go2rtc', '/api/go2rtc/api'].flatMap((base): AccessRule[] => [
    {
      methods: ['POST'],
      path: `${base}/webrtc`,
      level: 'camera-in-src',
      changes: true,
      bodyless: true,
    },
    { path: `${base}/webrtc`, level: 'camera-in-src' },
    { path: `${base}/ws`, level: 'camera-in-src' },
    { path: `${base}/stream.*`, level: 'camera-in-src' },
    { path: `${base}/frame.*`, level: 'camera-in-src' },
  ]),
  { path: '/api/go2rtc/**', level: 'admin-only' },

  // Where a recorder keeps segments of streams that it repackages, whatever camera they are of.
  { path: '/stream/**', level: 'unresolved' },

  // Recordings and video on demand. A comma would make one URI stand for several files.
  { path: '/recordings/*/*/:camera/**', level: 'camera-in-path' },
  { path: '/recordings/**', level: 'unresolved' },
  { path: '/vod/**', having: ',', level: 'unresolved' },
  { path: '/vod/:camera/start/**', level: 'camera-in-path' },
  { path: '/vod/clip/:camera/**', level: 'camera-in-path' },
  { path: '/vod/event/:event/**', level: 'camera-of-event' },
  { path: '/vod/:camera/*/start/**', level: 'camera-in-path' },
  { path: '/vod/*/*/*/:camera/**', level: 'camera-in-path' },
  { path: '/vod/**', level: 'unresolved' },

  // Clips, thumbnails and exports.
  { path: '/clips/faces/**', level: 'admin-only' },
  { path: '/clips/train/**', level: 'admin-only' },
  { path: '/clips/*/train/**', level: 'admin-only' },
  { path: '/clips/*/dataset/**', level: 'admin-only' },
  { path: '/clips/thumbs/:camera/*', level: 'camera-in-path' },
  { path: '/clips/previews/:camera/*', level: 'camera-in-path' },
  { path: '/clips/review/:file', level: 'camera-in-file' },
  { path: '/clips/export/:export', level: 'camera-of-export' },
  { path: '/clips/:file', level: 'camera-in-file' },
  { path: '/clips/**', level: 'unresolved' },
  { path: '/exports/:export', level: 'camera-of-export' },
  { path: '/exports/**', level: 'unresolved' },

  // What a viewer may change: mark as reviewed, which a recorder keeps for each user, and start an export.
  { methods: ['POST'], path: '/api/reviews/viewed', level: 'any', changes: true },
  {
    methods: ['DELETE'],
    path: '/api/review/:review/viewed',
    level: 'camera-of-review',
    changes: true,
    bodyless: true,
  },
  { methods: ['POST'], path: '/api/export/:camera/start/**', level: 'camera-in-path', changes: true },

  // Events, reviews, previews and exports by API. A search compares with an event of any camera, and the summaries and lists
  // without a filter are of all.
  { path: '/api/event_ids', level: 'camera-of-events' },
  { path: '/api/events', level: 'list', filter: 'cameras' },
  { path: '/api/events/explore', level: 'list' },
  { path: '/api/events/search', level: 'list' },
  { path: '/api/events/summary', level: 'list' },
  { path: '/api/events/:event/**', level: 'camera-of-event' },
  { path: '/api/review', level: 'list', filter: 'cameras' },
  { path: '/api/review/summary', level: 'list', filter: 'cameras' },
  { path: '/api/review/activity/*', level: 'list', filter: 'cameras' },
  { path: '/api/review/event/:event', level: 'camera-of-event' },
  { path: '/api/review/:review/**', level: 'camera-of-review' },
  { path: '/api/preview/:file/thumbnail.*', level: 'camera-in-file' },
  { path: '/api/preview/:camera/start/**', level: 'camera-in-path' },
  { path: '/api/preview/*/*/*/:camera/**', level: 'camera-in-path' },
  { path: '/api/exports', level: 'list' },
  { path: '/api/exports/:export', level: 'camera-of-export' },
  { path: '/api/export/:camera/**', level: 'camera-in-path' },

  // Lists over several cameras.
  { path: '/api/labels', level: 'list', filter: 'camera' },
  { path: '/api/recordings/summary', level: 'list', filter: 'cameras' },
  { path: '/api/recordings/unavailable', level: 'list', filter: 'cameras' },
  { path: '/api/stats', level: 'any' },
  { path: '/api/sub_labels', level: 'list' },
  { path: '/api/timeline', level: 'list', filter: 'camera' },
  { path: '/api/timeline/hourly', level: 'list', filter: 'cameras' },
  { path: '/api/version', level: 'any', namesNoCamera: true },
  { path: '/api', level: 'any' },

  // Everything below a camera; a camera that nobody configured would look like the rule after it.
  { path: '/api/:known/**', level: 'camera-in-path' },
  { path: '/api/*/**', level: 'unresolved' },

  { path: '/**', level: 'any' },
];
