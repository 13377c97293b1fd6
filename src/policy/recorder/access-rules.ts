import type { AccessRule } from '../access-rule.ts';

/** Rules that the operator's cannot override: secrets of the recorder, and changes to them. */
export const lockedRules: readonly AccessRule[] = [
  // Which keys exist: the same for every installation.
  {
    methods: ['GET', 'HEAD'],
    path: '/api/config/schema.json',
    level: 'any',
    namesNoCamera: true,
    recorded: 'now',
  },
  // Configuration with camera passwords in it, and logs.
  { path: '/api/config/*/**', level: 'admin-only' },
  {
    path: '/api/logs/**',
    level: 'admin-only',
    stricter:
      'Logs tell of all cameras and of everybody who asks. From 0.18 on, the recorder shows them to admins alone.',
  },
  {
    path: '/api/go2rtc/api/config',
    level: 'admin-only',
    stricter: 'It has the passwords of all cameras. 0.17 lets everyone read it below `/api/go2rtc/api`.',
  },
  // The gate only leaves the kinds of media in the answer (`changed-answers.ts`).
  {
    path: '/api/go2rtc/api/streams',
    level: 'stream-in-src',
    recorded: 'now',
    stricter: 'It has the addresses of all cameras. 0.17 lets everyone read it below `/api/go2rtc/api`.',
  },
  {
    path: '/api/go2rtc/streams',
    level: 'admin-only',
    stricter: 'It has the addresses of all cameras, with whatever in them lets someone in.',
  },
];

export const recorderRules: readonly AccessRule[] = [
  // Administration.
  {
    path: '/api/config',
    level: 'admin-only',
    stricter: 'It has the settings of all cameras, and secrets that the recorder does not mask.',
  },
  {
    path: '/api/auth/**',
    level: 'admin-only',
    stricter: 'The accounts of the recorder: behind the gate nobody logs in to them.',
  },
  {
    methods: ['POST'],
    path: '/api/notifications/register/**',
    level: 'admin-only',
    stricter:
      'With its own accounts off, the recorder keeps every registration for its user `admin`: a phone would be told of all cameras.',
  },
  { path: '/api/restart/**', level: 'admin-only' },
  { path: '/api/ffprobe/**', level: 'admin-only' },
  { path: '/api/ffmpeg/presets/**', level: 'admin-only' },
  { path: '/api/onvif/**', level: 'admin-only' },
  { path: '/api/reolink/**', level: 'admin-only' },
  ...['/api/vainfo/**', '/api/nvinfo/**'].map((path): AccessRule => ({
    path,
    level: 'admin-only',
    stricter:
      'Each question starts a program on the machine, and the recorder’s UI asks on pages for admins alone.',
  })),
  { path: '/api/faces/**', level: 'admin-only' },
  { path: '/api/classification/**', level: 'admin-only' },
  { path: '/api/keyframe_analysis/**', level: 'admin-only' },
  { path: '/api/audio_labels/**', level: 'admin-only' },
  { path: '/api/media/sync/**', level: 'admin-only' },
  { path: '/api/profile/active/**', level: 'admin-only' },
  { path: '/api/chat/**', level: 'admin-only' },
  { path: '/api/vlm/**', level: 'admin-only' },
  { path: '/api/genai/**', level: 'admin-only' },
  { path: '/api/triggers/**', level: 'admin-only' },
  { path: '/api/debug_replay/**', level: 'admin-only' },
  ...['/api/stats/history/**', '/api/recordings/storage/**'].map((path): AccessRule => ({
    path,
    level: 'admin-only',
    stricter: 'It tells of all cameras. From 0.18 on, the recorder shows it to admins alone.',
  })),
  {
    path: '/api/review/summarize/**',
    level: 'admin-only',
    stricter:
      'It tells of all cameras, in words of a service that is paid. From 0.18 on, it is for admins alone.',
  },
  {
    methods: ['POST'],
    path: '/api/*/plus/*',
    level: 'admin-only',
    stricter: 'It gives a picture to a service of someone else, for good.',
  },

  // Live streams. A WebRTC or MSE offer is a POST that changes nothing.
  // A recorder may treat any path with this beginning the same way.
  { path: '/ws*/**', level: 'any', messages: true, recorded: 'now' },
  { path: '/live/jsmpeg/birdseye', level: 'every-camera' },
  { path: '/live/jsmpeg/:camera', level: 'camera-in-path', recorded: 'now' },
  { path: '/live/*/api/ws', level: 'camera-in-src', recorded: 'now' },
  { path: '/live/*/*', level: 'camera-in-src', recorded: 'now' },
  { path: '/live/**', level: 'unresolved' },
  // The live picture of all cameras is a stream of its own: the recorder only answers admins below this path.
  { path: '/api/birdseye/**', level: 'admin-only' },
  { path: '/api/go2rtc/streams/:stream', level: 'stream-in-path', recorded: 'now' },
  ...['/api/go2rtc', '/api/go2rtc/api'].flatMap((base): AccessRule[] => [
    {
      methods: ['POST'],
      path: `${base}/webrtc`,
      level: 'camera-in-src',
      changes: true,
      bodyless: true,
      recorded: 'now',
    },
    { path: `${base}/webrtc`, level: 'camera-in-src', recorded: 'now' },
    { path: `${base}/ws`, level: 'camera-in-src', recorded: 'now' },
    { path: `${base}/stream.*`, level: 'camera-in-src', recorded: 'now' },
    { path: `${base}/frame.*`, level: 'camera-in-src', recorded: 'now' },
  ]),
  {
    path: '/api/go2rtc/**',
    level: 'admin-only',
    stricter:
      'The rest of the API of the recorder’s streams: addresses, logs, programs. 0.17 lets everyone read it below `/api/go2rtc/api`.',
  },

  // Segments of repackaged streams, of any camera.
  { path: '/stream/**', level: 'unresolved' },

  // Recordings and video on demand. A comma would make one URI refer to several files.
  { path: '/recordings/*/*/:camera/**', level: 'camera-in-path', recorded: 'segment' },
  { path: '/recordings/**', level: 'unresolved' },
  { path: '/vod/**', having: ',', level: 'unresolved' },
  { path: '/vod/:camera/start/**', level: 'camera-in-path', recorded: 'start' },
  { path: '/vod/clip/:camera/start/**', level: 'camera-in-path', recorded: 'start' },
  { path: '/vod/clip/:camera/**', level: 'camera-in-path', recorded: 'ever' },
  { path: '/vod/event/:event/**', level: 'camera-of-event', recorded: 'row' },
  { path: '/vod/:camera/*/start/**', level: 'camera-in-path', recorded: 'ever' },
  { path: '/vod/*/*/*/:camera/**', level: 'camera-in-path', recorded: 'hour' },
  { path: '/vod/**', level: 'unresolved' },
  // JSON that the recorder's own web server requests.
  { path: '/api/vod/clip/:camera/start/*/end/*', level: 'camera-in-path', recorded: 'start' },
  { path: '/api/vod/event/:event', level: 'camera-of-event', recorded: 'row' },
  { path: '/api/vod/:camera/start/*/end/*', level: 'camera-in-path', recorded: 'start' },
  { path: '/api/vod/*/*/*/:camera/**', level: 'camera-in-path', recorded: 'hour' },

  // Clips, thumbnails and exports.
  ...[
    '/clips/faces/**',
    '/clips/genai-requests/**',
    '/clips/preview_restart_cache/**',
    '/clips/train/**',
    '/clips/*/train/**',
    '/clips/*/dataset/**',
  ].map((path): AccessRule => ({
    path,
    level: 'admin-only',
    stricter:
      'Pictures of all cameras that the recorder learns from or asks others about. From 0.18 on, it shows them to admins alone.',
  })),
  { path: '/clips/thumbs/:camera/*', level: 'camera-in-path', recorded: 'file' },
  { path: '/clips/previews/:camera/*', level: 'camera-in-path', recorded: 'file' },
  { path: '/clips/review/:file', level: 'camera-in-file', recorded: 'file' },
  { path: '/clips/export/:export', level: 'camera-of-export', recorded: 'row' },
  { path: '/clips/:file', level: 'camera-in-file', recorded: 'file' },
  { path: '/clips/**', level: 'unresolved' },
  { path: '/exports/:export', level: 'camera-of-export', recorded: 'row' },
  { path: '/exports/**', level: 'unresolved' },

  // Changes that a viewer may make: mark as reviewed, which a recorder stores per user, and start an export.
  {
    methods: ['POST'],
    path: '/api/reviews/viewed',
    recorded: 'body',
    level: 'reviews-in-body',
    changes: true,
    stricter: 'The body says of which cameras it is. Without the relay a front does not show the gate any.',
  },
  {
    methods: ['DELETE'],
    path: '/api/review/:review/viewed',
    recorded: 'row',
    level: 'camera-of-review',
    changes: true,
    bodyless: true,
    stricter: 'The recorder lets a role limited to cameras do it for reviews of all cameras.',
  },
  {
    methods: ['POST'],
    path: '/api/exports/batch',
    recorded: 'body',
    level: 'cameras-in-body',
    changes: true,
    stricter: 'The body says of which cameras it is. Without the relay a front does not show the gate any.',
  },
  // To the last segment: otherwise one rule would read `custom` as the name of a camera, and another would not.
  {
    methods: ['POST'],
    path: '/api/export/custom/:camera/start/*/end/*',
    recorded: 'start',
    level: 'camera-in-path',
    changes: true,
    body: 'export',
    stricter:
      'The body may name a picture of another camera. Without the relay a front does not show the gate any.',
  },
  {
    methods: ['POST'],
    path: '/api/export/:camera/start/*/end/*',
    recorded: 'start',
    level: 'camera-in-path',
    changes: true,
    body: 'export',
    stricter:
      'The body may name a picture of another camera. Without the relay a front does not show the gate any.',
  },

  // Events, reviews, previews and exports by API. A search compares with an event of any camera, and unfiltered summaries and lists
  // cover all cameras.
  { path: '/api/event_ids', level: 'camera-of-events', recorded: 'row' },
  { path: '/api/events', level: 'list', filter: 'cameras', recorded: 'after' },
  { path: '/api/events/explore', level: 'list', recorded: 'ever' },
  {
    path: '/api/events/search',
    level: 'list',
    filter: 'cameras',
    unfilteredWith: 'event_id',
    recorded: 'after',
  },
  { path: '/api/events/summary', level: 'list', recorded: 'ever' },
  { path: '/api/events/:event/**', level: 'camera-of-event', recorded: 'row' },
  { path: '/api/review', level: 'list', filter: 'cameras', recorded: 'after' },
  { path: '/api/review/summary', level: 'list', filter: 'cameras', recorded: 'ever' },
  { path: '/api/review/activity/*', level: 'list', filter: 'cameras', recorded: 'after' },
  { path: '/api/review_ids', level: 'camera-of-reviews', recorded: 'row' },
  { path: '/api/review/event/:event', level: 'camera-of-event', recorded: 'ever' },
  { path: '/api/review/:review/**', level: 'camera-of-review', recorded: 'row' },
  { path: '/api/preview/:file/thumbnail.*', level: 'camera-in-file', recorded: 'file' },
  // `all` is not a camera here, whatever cameras are called.
  { path: '/api/preview/all/start/*/end/*', level: 'list', recorded: 'start' },
  { path: '/api/preview/*/*/*/all/*', level: 'list', recorded: 'hour' },
  { path: '/api/preview/:camera/start/**', level: 'camera-in-path', recorded: 'start' },
  { path: '/api/preview/*/*/*/:camera/**', level: 'camera-in-path', recorded: 'hour' },
  // Recorders before 0.18 ignore this parameter.
  { path: '/api/exports', level: 'list', filter: 'cameras', isFilterNew: true, recorded: 'ever' },
  { path: '/api/exports/:export', level: 'camera-of-export', recorded: 'row' },
  { path: '/api/jobs/export', level: 'list', recorded: 'ever' },
  { path: '/api/jobs/export/:export', level: 'camera-of-export', recorded: 'row' },
  { path: '/api/export/:camera/**', level: 'camera-in-path', recorded: 'ever' },

  // Lists over several cameras.
  // Before 0.18 the recorder does not filter labels and sub_labels by role; its own UI requests them for everyone.
  { path: '/api/labels', level: 'list', filter: 'camera', recorded: 'ever' },
  { path: '/api/recognized_license_plates', level: 'list', recorded: 'ever' },
  { path: '/api/recordings/summary', level: 'list', filter: 'cameras', recorded: 'ever' },
  { path: '/api/recordings/unavailable', level: 'list', filter: 'cameras', recorded: 'after' },
  // The gate removes other cameras from its answer (`changed-answers.ts`).
  {
    path: '/api/stats',
    level: 'any',
    namesNoCamera: true,
    recorded: 'now',
    stricter:
      'Before 0.18 the recorder tells everyone of all cameras. Where a front passes the answer on itself, nothing leaves them out.',
  },
  { path: '/api/sub_labels', level: 'list', recorded: 'ever' },
  { path: '/api/timeline', level: 'list', filter: 'camera', recorded: 'source' },
  { path: '/api/timeline/hourly', level: 'list', filter: 'cameras', recorded: 'after' },
  {
    path: '/api/metrics',
    level: 'every-camera',
    stricter: 'It counts what each camera saw, of all cameras.',
  },

  // Paths that name no camera.
  { path: '/api/notifications/pubkey', level: 'any', namesNoCamera: true, recorded: 'now' },
  { path: '/api/plus/models', level: 'any', namesNoCamera: true, recorded: 'now' },
  { path: '/api/version', level: 'any', namesNoCamera: true, recorded: 'now' },
  { path: '/api', level: 'any', recorded: 'now' },
  { path: '/api/', level: 'any', namesNoCamera: true, recorded: 'now' },

  // A motion search; the body names the picture.
  {
    methods: ['POST'],
    path: '/api/:camera/search/motion',
    recorded: 'ever',
    level: 'camera-in-path',
    changes: true,
    bodyless: true,
  },
  {
    methods: ['POST'],
    path: '/api/:camera/search/motion/*/cancel',
    level: 'camera-in-path',
    changes: true,
    recorded: 'ever',
  },

  // Everything below a camera; an unconfigured camera would look like the rules after it.
  { path: '/api/:known', level: 'camera-in-path', recorded: 'now' },
  { path: '/api/:known/latest.*', level: 'camera-in-path', recorded: 'now' },
  { path: '/api/:known/ptz/info', level: 'camera-in-path', recorded: 'now' },
  { path: '/api/:known/recordings', level: 'camera-in-path', recorded: 'after' },
  { path: '/api/:known/recordings/*/snapshot.*', level: 'camera-in-path', recorded: 'frame' },
  { path: '/api/:known/start/**', level: 'camera-in-path', recorded: 'start' },
  { path: '/api/:known/**', level: 'camera-in-path', recorded: 'ever' },
  // New in 0.18: before, the first segment would be a camera.
  { path: '/api/profiles', level: 'any', recorded: 'now' },
  { path: '/api/cases', level: 'any', recorded: 'ever' },
  { path: '/api/cases/*', level: 'any', recorded: 'ever' },
  { path: '/api/cases/*/download', level: 'list', recorded: 'ever' },
  { path: '/api/*/**', level: 'unresolved' },

  { path: '/**', level: 'any', recorded: 'now' },
];
